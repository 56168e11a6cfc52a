//! Crontab checks: shell-operator's dialect (robfig cron v2), and what would hang or stop it.

use std::ops::RangeInclusive;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DESCRIPTORS: [&str; 7] =
    ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Checks that shell-operator takes `crontab`: 5 fields, or 6 with seconds first, or a descriptor.
///
/// The operator's own parser loops forever on a step of 0 and stops the operator's start, for all hooks, on
/// whatever else it does not know; so both are refused here. The name of a time zone after `TZ=` is taken as it
/// is: only the operator's image knows which there are.
///
/// # Errors
/// What is wrong, as the end of a sentence that begins with the variable's name.
pub(crate) fn check(crontab: &str) -> Result<(), String> {
    let mut text = crontab.trim();
    if let Some(rest) = text.strip_prefix("TZ=") {
        let (zone, fields) = rest.split_once(' ').unwrap_or((rest, ""));
        if zone.is_empty() {
            return Err("names no time zone after TZ=".to_owned());
        }
        text = fields.trim();
    }
    if text.starts_with('@') {
        return check_descriptor(text);
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (seconds, fields) = match fields.len() {
        5 => (None, &fields[..]),
        6 => (Some(fields[0]), &fields[1..]),
        n => return Err(format!("has {n} fields, not 5 (or 6 with seconds first): {crontab:?}")),
    };
    if let Some(field) = seconds {
        check_field(field, "second", 0..=59, &[])?;
    }
    check_field(fields[0], "minute", 0..=59, &[])?;
    check_field(fields[1], "hour", 0..=23, &[])?;
    check_field(fields[2], "day of month", 1..=31, &[])?;
    check_field(fields[3], "month", 1..=12, &MONTHS)?;
    check_field(fields[4], "day of week", 0..=6, &DAYS)
}

/// Whether a crontab that [`check`] accepts fires in every minute.
pub(crate) fn fires_every_minute(crontab: &str) -> bool {
    let mut text = crontab.trim();
    if text.starts_with("TZ=") {
        text = text.split_once(' ').map_or("", |(_, fields)| fields.trim());
    }
    if let Some(duration) = text.strip_prefix("@every ") {
        return go_seconds(duration.trim()).is_some_and(|seconds| seconds <= 60.0);
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    // With six fields the first one is the second.
    let always = |field: &str| matches!(field, "*" | "?" | "*/1");
    matches!(fields.len(), 5 | 6) && fields[fields.len() - 5..].iter().copied().all(always)
}

fn check_descriptor(text: &str) -> Result<(), String> {
    if DESCRIPTORS.contains(&text) {
        return Ok(());
    }
    let Some(duration) = text.strip_prefix("@every ") else {
        return Err(format!(
            "has an unknown descriptor {text:?}; known are {}, @every",
            DESCRIPTORS.join(", ")
        ));
    };
    if go_seconds(duration.trim()).is_some() {
        Ok(())
    } else {
        Err(format!("has no usable duration after @every: {duration:?}; such as 90s or 1h30m"))
    }
}

/// A Go duration of whole or fractional units, such as `1h30m` or `90s`, in seconds.
fn go_seconds(text: &str) -> Option<f64> {
    let (mut rest, mut seconds) = (text, 0.0);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        // "ms" before "m", which is its prefix.
        let units = [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
        let (unit, length) = units.into_iter().find(|(unit, _)| rest.starts_with(unit))?;
        seconds += number * length;
        rest = &rest[unit.len()..];
    }
    (!text.is_empty()).then_some(seconds)
}

fn check_field(field: &str, what: &str, range: RangeInclusive<u32>, names: &[&str]) -> Result<(), String> {
    for part in field.split(',') {
        check_part(part, range.clone(), names)
            .map_err(|problem| format!("has a bad {what} {part:?}: {problem}"))?;
    }
    Ok(())
}

fn check_part(part: &str, range: RangeInclusive<u32>, names: &[&str]) -> Result<(), String> {
    let (span, step) = match part.split_once('/') {
        Some((span, step)) => (span, Some(step)),
        None => (part, None),
    };
    if let Some(step) = step {
        match step.parse::<u32>() {
            Ok(0) => return Err("a step of 0 would hang the operator".to_owned()),
            Ok(_) => {}
            Err(_) => return Err("the step is not a number".to_owned()),
        }
    }
    if span == "*" || span == "?" {
        return Ok(());
    }
    let value = |text: &str| -> Result<u32, String> {
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let number = match named {
            Some(index) => Some(range.start() + index as u32),
            None => text.parse().ok(),
        };
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("{text:?} is not in {}-{}", range.start(), range.end()))
    };
    match span.split_once('-') {
        Some((from, to)) if value(from)? > value(to)? => Err("the range runs backwards".to_owned()),
        Some(_) => Ok(()),
        None => value(span).map(|_| ()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shell_operator_takes_passes() {
        for good in [
            "* * * * *",
            "0 * * * *",
            "*/10 * * * *",
            "30 0 1,15 jan-Mar SUN",
            "0 */5 * * * *",
            "0-30/5 2 ? * 0-6",
            "TZ=Europe/Prague 0 3 * * *",
            "@hourly",
            "@every 1h30m",
            "@every 90s",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_fires_every_minute_is_known_in_every_spelling() {
        for often in [
            "* * * * *",
            "*/1 * ? * *",
            "0 * * * * *",
            "*/10 * * * * *",
            "TZ=UTC * * * * *",
            "@every 60s",
            "@every 0.5m",
        ] {
            assert!(fires_every_minute(often), "{often}");
        }
        for rarer in ["*/2 * * * *", "0 * * * *", "* 1 * * *", "@hourly", "@every 61s", "0 */5 * * * *"] {
            assert!(!fires_every_minute(rarer), "{rarer}");
        }
    }

    #[test]
    fn what_would_hang_or_stop_it_does_not() {
        for (bad, said) in [
            ("*/0 * * * *", "a step of 0 would hang the operator"),
            ("0 */00 * * *", "a step of 0 would hang the operator"),
            ("0-5/0 * * * *", "a step of 0 would hang the operator"),
            ("* * * *", "has 4 fields"),
            ("* * * * * * *", "has 7 fields"),
            ("60 * * * *", "\"60\" is not in 0-59"),
            ("* * * * 7", "\"7\" is not in 0-6"),
            ("* * 0 * *", "\"0\" is not in 1-31"),
            ("* * * foo *", "\"foo\" is not in 1-12"),
            ("5-1 * * * *", "the range runs backwards"),
            ("1, * * * *", "\"\" is not in 0-59"),
            ("*/x * * * *", "the step is not a number"),
            ("@reboot", "unknown descriptor"),
            ("@every", "unknown descriptor"),
            ("@every soon", "no usable duration"),
            ("TZ= * * * * *", "names no time zone"),
        ] {
            let problem = check(bad).expect_err(bad);
            assert!(problem.contains(said), "{bad}: {problem}");
        }
    }
}
