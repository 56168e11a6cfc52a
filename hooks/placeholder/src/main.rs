//! The placeholder hook: proves that the operator can log in to OpenStack. It converges nothing.

mod probe;

use std::process::ExitCode;

use framework::{Contexts, Ended, Env, Error, HookInfo, Invocation, LazyKube, Secrets, Variable};
use framework::{common_variables, config, document, run_hook};
use openstack_hook::CloudRef;
use serde_json::Value;

const PREFIX: &str = "OPENSTACK_PLACEHOLDER";
/// The schedule's name and queue. Not `onStartup`: a startup run that fails would block every hook.
const PROBE: &str = "probe";
const QUEUE: &str = "openstack-placeholder";
const DEFAULT_CRONTAB: &str = "*/10 * * * *";
/// Where the Secret is if `POD_NAMESPACE` is unset, as before.
const DEFAULT_NAMESPACE: &str = "openstack";

fn main() -> ExitCode {
    run_hook(&info(), document, run)
}

fn info() -> HookInfo {
    let variable = |suffix: &str, default: &'static str, about: &'static str| Variable {
        name: format!("{PREFIX}_{suffix}"),
        default,
        about,
    };
    let mut variables = vec![
        variable("ENABLED", "false", "true: the hook works; false: it does nothing"),
        variable("DEFAULT_SECRET", "", "Secret in POD_NAMESPACE that holds clouds.yaml"),
        variable("DEFAULT_CLOUD", "", "cloud in that clouds.yaml"),
        variable("SYNC_CRONTAB", DEFAULT_CRONTAB, "when to probe"),
        Variable {
            name: "POD_NAMESPACE".to_owned(),
            default: DEFAULT_NAMESPACE,
            about: "namespace of the Secret",
        },
    ];
    variables.extend(common_variables());
    let about = "Logs in to OpenStack and has Keystone check the token: proves that the operator can work.";
    HookInfo { name: "placeholder", about, prefix: PREFIX, variables }
}

fn document(env: &Env) -> Result<Value, Error> {
    // Without a schedule there is nothing to do, which is what a disabled hook answers.
    Ok(crontab(env)?.map_or_else(document::disabled, |crontab| document::scheduled(PROBE, QUEUE, &crontab)))
}

fn crontab(env: &Env) -> Result<Option<String>, Error> {
    config::crontab_from(env, &format!("{PREFIX}_SYNC_CRONTAB"), Some(DEFAULT_CRONTAB))
}

fn run(invocation: Invocation<'_>) -> Result<Ended, Error> {
    if !is_for_us(&invocation.contexts) {
        log::info!("{} holds neither onStartup nor {PROBE}: nothing is done", invocation.origin);
        return Ok(Ended::Well);
    }
    let env = invocation.env;
    if crontab(env)?.is_none() {
        // The only binding is then onStartup, where a failed probe would block every hook.
        log::info!("{PREFIX}_SYNC_CRONTAB is blank: nothing is probed");
        return Ok(Ended::Well);
    }
    let at = CloudRef {
        secret_name: env.required(&format!("{PREFIX}_DEFAULT_SECRET"))?.to_owned(),
        cloud_name: env.required(&format!("{PREFIX}_DEFAULT_CLOUD"))?.to_owned(),
    };
    let namespace = env.text("POD_NAMESPACE").unwrap_or(DEFAULT_NAMESPACE);
    let kube = LazyKube::new();
    match probe::probe(&Secrets::new(&kube, namespace), &at) {
        Ok(()) => {
            log::info!("{namespace}/{at}: Keystone accepts our login and our token");
            Ok(Ended::Well)
        }
        Err(error) => {
            log::error!("{namespace}/{at}: {}", error.log_text());
            Ok(Ended::Badly(format!("{namespace}/{at}: {error}")))
        }
    }
}

fn is_for_us(contexts: &Contexts) -> bool {
    match contexts {
        Contexts::Bindings(elements) => {
            elements.iter().any(|element| element["binding"] == "onStartup" || element["binding"] == PROBE)
        }
        // Whoever hands over CRs by hand does not mean this hook.
        Contexts::ByHand(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_probes_on_a_schedule_that_cannot_block_others() {
        let document = document(&Env::default()).unwrap();
        assert_eq!(
            document["schedule"],
            json!([{"name": "probe", "crontab": "*/10 * * * *", "queue": "openstack-placeholder", "allowFailure": true}])
        );
        assert_eq!(document.get("onStartup"), None);
    }

    #[test]
    fn a_bad_crontab_is_named() {
        let env = Env::from_pairs([("OPENSTACK_PLACEHOLDER_SYNC_CRONTAB", "*/0 * * * *")]);
        let text = document(&env).unwrap_err().to_string();
        assert!(text.starts_with("OPENSTACK_PLACEHOLDER_SYNC_CRONTAB: "), "{text}");
    }

    #[test]
    fn startup_and_probe_are_for_us_and_others_are_not() {
        let is_for_us = |element: Value| is_for_us(&Contexts::Bindings(vec![json!(1), element]));
        assert!(is_for_us(json!({"binding": "onStartup"})));
        assert!(is_for_us(json!({"binding": "probe", "type": "Schedule"})));
        assert!(!is_for_us(json!({"binding": "other", "type": "Schedule"})));
    }
}
