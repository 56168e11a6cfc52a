//! Dates: `Retry-After` (RFC 9110, 10.2.3), which is seconds or a date, and RFC 3339.

use std::time::{Duration, SystemTime};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// How long the server asks to wait; zero for no header, a date gone by, and what cannot be read (then our own
/// pauses apply).
pub(crate) fn retry_after(header: Option<&str>, now: SystemTime) -> Duration {
    let Some(text) = header.map(str::trim) else { return Duration::ZERO };
    if let Ok(seconds) = text.parse() {
        return Duration::from_secs(seconds);
    }
    http_date(text).and_then(|date| date.duration_since(now).ok()).unwrap_or_default()
}

/// An IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`. The two obsolete forms are not read.
fn http_date(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.split_once(", ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let [day, month, year, time, "GMT"] = fields[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let clock: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = clock[..] else { return None };
    let (day, year): (u64, u64) = (day.parse().ok()?, year.parse().ok()?);
    if !(1970..=9999).contains(&year) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// A moment as RFC 3339 writes it: `2026-11-29T13:52:29Z`, `…T14:52:29.5+01:00`. A fraction is dropped. `None`
/// for anything else, and before 1970.
pub fn rfc3339(text: &str) -> Option<SystemTime> {
    let [year, month, day] = numbers(text.get(..10)?, '-')?;
    let [hour, minute, second] = numbers(text.get(10..19)?.strip_prefix('T')?, ':')?;
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut zone = text.get(19..)?;
    if let Some(fraction) = zone.strip_prefix('.') {
        zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    let minutes = |offset: &str| numbers(offset, ':').map(|[hours, minutes]| hours * 60 + minutes);
    let (ahead, behind) = match zone.get(..1)? {
        "Z" if zone.len() == 1 => (0, 0),
        "+" => (minutes(&zone[1..])?, 0),
        "-" => (0, minutes(&zone[1..])?),
        _ => return None,
    };
    let days = (year >= 1970).then(|| days_since_1970(year, month, day))?;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second + behind * 60;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds.checked_sub(ahead * 60)?))
}

/// So many numbers of two digits (the year has four).
fn numbers<const N: usize>(text: &str, separator: char) -> Option<[u64; N]> {
    let digits =
        |part: &str| (part.len() == 2 || part.len() == 4) && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<u64> = text
        .split(separator)
        .map(|part| part.parse().ok().filter(|_| digits(part)))
        .collect::<Option<_>>()?;
    parts.try_into().ok()
}

/// Counted in years that begin with March, so that the leap day is a year's last.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before_year = year * 365 + year / 4 - year / 100 + year / 400;
    let before_month = (month * 153 + 2) / 5;
    before_year + before_month + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unix(text: &str) -> Option<u64> {
        http_date(text).map(|date| date.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs())
    }

    #[test]
    fn dates() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Tue, 29 Feb 2000 23:59:59 GMT", Some(951_868_799)),
            ("Wed, 01 Mar 2000 00:00:00 GMT", Some(951_868_800)),
            ("Mon, 01 Mar 2100 00:00:00 GMT", Some(4_107_542_400)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun Nov  6 08:49:37 1994", None),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 06 Foo 1994 08:49:37 GMT", None),
            ("Sun, 99 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49 GMT", None),
            ("", None),
        ] {
            assert_eq!(unix(text), seconds, "{text}");
        }
    }

    #[test]
    fn rfc3339_moments() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1994-11-06T08:49:37Z", Some(784_111_777)),
            ("1994-11-06T08:49:37.123456789Z", Some(784_111_777)),
            ("1994-11-06T09:49:37+01:00", Some(784_111_777)),
            ("1994-11-06T03:19:37.5-05:30", Some(784_111_777)),
            ("2000-02-29T23:59:59Z", Some(951_868_799)),
            ("1970-01-01T00:00:00+01:00", None),
            ("0001-01-01T00:00:00Z", None),
            ("1994-13-06T08:49:37Z", None),
            ("1994-11-06 08:49:37Z", None),
            ("1994-11-06T08:49:37", None),
            ("1994-11-06T08:49:37ZZ", None),
            ("1994-11-06T08:49:37+1", None),
            ("1994-11-06T08:49:37ä", None),
            ("1994-11-06T+8:49:37Z", None),
            ("784111777", None),
            ("", None),
        ] {
            let moment =
                rfc3339(text).map(|date| date.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs());
            assert_eq!(moment, seconds, "{text}");
        }
    }

    #[test]
    fn seconds_and_dates() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        for (header, seconds) in [
            (None, 0),
            (Some("120"), 120),
            (Some(" 3 "), 3),
            (Some("-1"), 0),
            (Some("1.5"), 0),
            (Some("Sun, 06 Nov 1994 08:50:37 GMT"), 60),
            (Some("Sun, 06 Nov 1994 08:48:37 GMT"), 0),
        ] {
            assert_eq!(retry_after(header, now), Duration::from_secs(seconds), "{header:?}");
        }
    }
}
