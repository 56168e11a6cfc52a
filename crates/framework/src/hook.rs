//! `main` of any hook: arguments, `--config`, the binding context, logs, and the exit code.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use serde_json::Value;

use crate::cli::{HookInfo, Options};
use crate::config::is_enabled;
use crate::context::Contexts;
use crate::document;
use crate::env::Env;
use crate::error::Error;
use crate::logging::Logging;
use crate::names::CHART_VARIABLES;

/// What an enabled hook is given when it runs.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// The environment.
    pub env: &'a Env,
    /// What was asked for on the command line.
    pub options: &'a Options,
    /// Names the context in messages: a path, or `standard input`.
    pub origin: String,
    /// The context; never empty.
    pub contexts: Contexts,
}

/// How an enabled hook's run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Exit code 0.
    Well,
    /// Exit code 1; the text is the one line that shell-operator shows, the log has told the rest.
    Badly(String),
}

/// The whole `main` of a hook.
///
/// * `--config` prints the document that `document` makes of the environment, or that of a disabled hook if
///   `<PREFIX>_ENABLED` is not `true`. Nothing else is read, no logger is started and no file is opened.
/// * Otherwise the binding context is read first, even for a disabled hook; an empty one is nothing to do.
///   Then `run` does the work if the hook is enabled.
///
/// The exit code is 0, 1 (something failed; one clear line on stderr) or 2 (wrong arguments; usage on
/// stderr).
pub fn run_hook(
    info: &HookInfo,
    document: impl FnOnce(&Env) -> Result<Value, Error>,
    run: impl FnOnce(Invocation<'_>) -> Result<Ended, Error>,
) -> ExitCode {
    let env = Env::process();
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if arguments.first().is_some_and(|first| first == "--config") {
        return match config_document(info, &env, document) {
            Ok(text) => print(&text).map_or_else(|error| complain(&error), |()| ExitCode::SUCCESS),
            Err(error) => complain(&error),
        };
    }
    let options = if arguments.is_empty() {
        Options::default()
    } else {
        match info.parse(&env, &arguments) {
            Ok(options) => options,
            Err(error) => {
                // Help goes to stdout, complaints to stderr; a closed pipe is nobody's failure.
                let _ = error.print();
                return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
            }
        }
    };
    let logging = Logging::from_env(&env);
    let format = logging.as_ref().copied().unwrap_or_default();
    format.start(options.dry_run || options.check);
    match invoke(info, &env, &options, logging.err(), run) {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Badly(text)) => {
            // The log has said it; with JSON on stdout, shell-operator still needs one line of stderr.
            if format.json {
                say(&format!("{}: {text}", info.name));
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            if format.json {
                log::error!("{error}");
            }
            complain(&error)
        }
    }
}

fn config_document(
    info: &HookInfo,
    env: &Env,
    document: impl FnOnce(&Env) -> Result<Value, Error>,
) -> Result<String, Error> {
    let value = if is_enabled(info.prefix, env)? { document(env)? } else { document::disabled() };
    Ok(format!("{value}\n"))
}

fn invoke(
    info: &HookInfo,
    env: &Env,
    options: &Options,
    bad_logging: Option<Error>,
    run: impl FnOnce(Invocation<'_>) -> Result<Ended, Error>,
) -> Result<Ended, Error> {
    let Some((origin, contexts)) = read_contexts(env, options)? else {
        if options.is_by_hand() {
            return Err(Error::NoContext);
        }
        return Ok(Ended::Well);
    };
    if contexts.is_empty() {
        // Said aloud to a person only: for shell-operator an empty context is nothing.
        let level = if options.is_by_hand() { log::Level::Info } else { log::Level::Debug };
        log::log!(level, "{origin} holds no CR and no event: nothing is done");
        return Ok(Ended::Well);
    }
    if !is_enabled(info.prefix, env)? {
        let text = format!("{}_ENABLED is not true: nothing is done", info.prefix);
        log::info!("{text}");
        // Whoever asks whether it works must not be told yes.
        return Ok(if options.check { Ended::Badly(text) } else { Ended::Well });
    }
    if let Some(error) = bad_logging {
        return Err(error);
    }
    let prefix = format!("{}_", info.prefix);
    for (name, own) in env.names().filter_map(|name| Some((name, name.strip_prefix(&prefix)?))) {
        let known = info.variables.iter().any(|variable| variable.name == name);
        if !known && !CHART_VARIABLES.contains(&own) {
            log::warn!("{name} is set, but no such variable is known: is it misspelt? (see --help)");
        }
    }
    run(Invocation { env, options, origin, contexts })
}

/// The context and its name, or `None` if none is named.
fn read_contexts(env: &Env, options: &Options) -> Result<Option<(String, Contexts)>, Error> {
    let unreadable = |origin: &str, error: &std::io::Error| Error::Context {
        origin: origin.to_owned(),
        problem: format!("cannot be read: {error}"),
    };
    match (&options.binding_context, env.text("BINDING_CONTEXT_PATH")) {
        (Some(path), _) if path == "-" => {
            let origin = "standard input";
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| unreadable(origin, &error))?;
            Ok(Some((origin.to_owned(), Contexts::parse_by_hand(origin, &text)?)))
        }
        (Some(path), _) => {
            let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
            Ok(Some((path.clone(), Contexts::parse_by_hand(path, &text)?)))
        }
        (None, Some(path)) => {
            let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
            Ok(Some((path.to_owned(), Contexts::parse(path, &text)?)))
        }
        (None, None) => Ok(None),
    }
}

/// Prints to stdout; a reader that has gone away is no failure.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(source) if source.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::Output { path: "standard output".to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// One line on stderr. Where that is full or closed there is nobody left to tell.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", text.replace('\n', "\\n"));
}

/// One line on stderr, with the causes.
fn complain(error: &Error) -> ExitCode {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    say(&text);
    ExitCode::FAILURE
}
