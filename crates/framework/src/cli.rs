//! The command line of a hook. shell-operator uses two forms, `--config` and no argument at all; the rest is
//! for people.

use clap::{Arg, ArgAction, Command};

use crate::env::Env;
use crate::text::table;

/// What a person asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// `--binding-context FILE`; `-` is standard input.
    pub binding_context: Option<String>,
    /// `--dry-run`: print what would be written, write nothing.
    pub dry_run: bool,
    /// `--full`: cover every CR, whatever the context says.
    pub full: bool,
    /// `--check`: log in and probe each group, nothing else.
    pub check: bool,
}

impl Options {
    /// Whether anything was asked for: then a missing context is a mistake, not an idle run.
    pub(crate) fn is_by_hand(&self) -> bool {
        *self != Self::default()
    }
}

/// One environment variable, for `--help`.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Full name.
    pub name: String,
    /// What applies when it is not set, for people; empty if it must be set.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// The name and the documentation of a hook.
#[derive(Debug, Clone)]
pub struct HookInfo {
    /// The binary's name: `router-flavors`.
    pub name: &'static str,
    /// One line: what it does.
    pub about: &'static str,
    /// The environment prefix: `NEUTRON_ROUTER_FLAVOR`.
    pub prefix: &'static str,
    /// Its variables, for `--help`.
    pub variables: Vec<Variable>,
}

impl HookInfo {
    fn command(&self, env: &Env) -> Command {
        let flag = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
        };
        Command::new(self.name)
            .version(env!("CARGO_PKG_VERSION"))
            .about(self.about)
            .arg(
                flag("config", "Print the shell-operator configuration and exit (nothing is read but the environment)")
                    .exclusive(true),
            )
            .arg(
                Arg::new("binding-context")
                    .long("binding-context")
                    .value_name("FILE")
                    .help("Read FILE (- is standard input) instead of BINDING_CONTEXT_PATH: a binding context, a List as kubectl get -o json prints it, or one CR; JSON or YAML"),
            )
            .arg(flag("dry-run", "Print the planned actions as a table, write nothing anywhere"))
            .arg(flag("full", "Cover every CR, drift included, whatever the context says"))
            .arg(flag("check", "Log in with each group of credentials, probe its service, print a table"))
            .after_help(self.after_help(env))
    }

    fn after_help(&self, env: &Env) -> String {
        let rows: Vec<[String; 4]> = self
            .variables
            .iter()
            .map(|variable| {
                let current = env.get(&variable.name).map_or("-".to_owned(), |value| format!("{value:?}"));
                [variable.name.clone(), variable.default.to_owned(), current, variable.about.to_owned()]
            })
            .collect();
        format!(
            "Environment:\n{}\nExit codes: 0 done or nothing to do; 1 something failed, is doubtful or was held back \
             (see the log and the statuses); 2 wrong arguments.",
            table(["VARIABLE", "DEFAULT", "NOW", "MEANING"], &rows)
        )
    }

    /// Reads the arguments behind the program's name.
    ///
    /// # Errors
    /// clap's own error, which carries the text to print and the exit code (help is one of them).
    pub(crate) fn parse(&self, env: &Env, arguments: &[String]) -> Result<Options, clap::Error> {
        let words = std::iter::once(self.name.to_owned()).chain(arguments.iter().cloned());
        let matches = self.command(env).try_get_matches_from(words)?;
        Ok(Options {
            binding_context: matches.get_one::<String>("binding-context").cloned(),
            dry_run: matches.get_flag("dry-run"),
            full: matches.get_flag("full"),
            check: matches.get_flag("check"),
        })
    }
}

/// The variables that every hook reads.
pub fn common_variables() -> Vec<Variable> {
    vec![
        plain(
            "BINDING_CONTEXT_PATH",
            "nothing to do",
            "file with the binding context; set by shell-operator",
        ),
        plain("LOG_LEVEL", "info", "trace, debug, info, warning or error"),
        plain("LOG_FORMAT", "text", "text (stderr) or json (stdout, one object per line)"),
    ]
}

fn plain(name: &str, default: &'static str, about: &'static str) -> Variable {
    Variable { name: name.to_owned(), default, about }
}

/// The variables of every CR hook, for the hook with this prefix.
pub fn sync_variables(prefix: &str) -> Vec<Variable> {
    let variable = |suffix: &str, default: &'static str, about: &'static str| Variable {
        name: format!("{prefix}_{suffix}"),
        default,
        about,
    };
    let mut variables = vec![
        variable("ENABLED", "false", "true: the hook works; false: it does nothing"),
        variable("CRD_API_VERSION", "", "<group>/<version> of the CRs; derived by the chart"),
        variable("CRD_KIND", "", "their kind; derived by the chart"),
        variable("CRD_RESOURCE", "", "<plural>.<group>; derived by the chart"),
        variable("STATUS_ENABLED", "false", "true: statuses are written; derived by the chart"),
        variable("SYNC_CRONTAB", "none", "when everything is synced, drift included"),
        variable("CATCH_UP_CRONTAB", "* * * * *", "when what is not current is tried again"),
        variable("PRUNE", "false", "true: resources go with their CRs"),
        variable("PRUNE_LIMIT", "10", "how many unclaimed resources one run may delete; 0 = none"),
        variable("READY_RETRIES", "30", "attempts to reach the services in one full run"),
        variable("READY_DELAY", "10", "seconds between them"),
        variable("DRY_RUN", "false", "true: log what would be written, write nothing"),
    ];
    variables.extend([
        plain("POD_NAMESPACE", "all namespaces", "namespace to watch, and of a CR that names none"),
        plain("WATCH_NAMESPACES", "POD_NAMESPACE", "namespaces to watch, separated by commas, or *"),
        plain("METRICS_PATH", "none", "file for metrics; set by shell-operator"),
    ]);
    variables.extend(common_variables());
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> HookInfo {
        HookInfo { name: "widgets", about: "Keeps widgets.", prefix: "P", variables: sync_variables("P") }
    }

    fn parse(arguments: &[&str]) -> Result<Options, clap::Error> {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        info().parse(&Env::from_pairs([("P_PRUNE", "true")]), &arguments)
    }

    #[test]
    fn options_are_what_was_said() {
        assert_eq!(parse(&[]).unwrap(), Options::default());
        let options = parse(&["--binding-context", "-", "--dry-run", "--full", "--check"]).unwrap();
        assert_eq!(options.binding_context.as_deref(), Some("-"));
        assert!(options.dry_run && options.full && options.check && options.is_by_hand());
    }

    #[test]
    fn unknown_arguments_are_usage_errors() {
        for bad in [&["--foo"][..], &["foo"], &["--binding-context"], &["--dry-run", "--config"]] {
            assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
        }
    }

    #[test]
    fn help_names_each_variable_with_default_and_present_value() {
        let error = parse(&["--help"]).unwrap_err();
        assert_eq!(error.exit_code(), 0);
        let text = error.to_string();
        let line =
            |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
        assert!(line("P_PRUNE ").contains("false") && line("P_PRUNE ").contains("\"true\""), "{text}");
        assert!(line("P_PRUNE_LIMIT ").contains("10"), "{text}");
        assert!(text.contains("Exit codes: 0"), "{text}");
    }
}
