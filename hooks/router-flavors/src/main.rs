//! The hook `router-flavors`: see the library for the resource, the framework for everything else.

use std::process::ExitCode;

fn main() -> ExitCode {
    framework::run_sync_hook(&router_flavors::HOOK, router_flavors::RouterFlavors)
}
