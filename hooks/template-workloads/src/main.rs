//! The hook `template-workloads`: see the library for the resource, the framework for everything else.

use std::process::ExitCode;

fn main() -> ExitCode {
    framework::run_sync_hook(&template_workloads::HOOK, template_workloads::TemplateWorkloads::default())
}
