//! `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.

use std::time::{Duration, SystemTime};

use crate::time::{Timestamp, days_from_epoch};

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
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let clock: Vec<u32> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = clock[..] else { return None };
    let (day, year): (i64, i64) = (day.parse().ok()?, year.parse().ok()?);
    if !(1970..=9999).contains(&year) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days_from_epoch(year, month, day) * 86_400 + i64::from(hour * 3_600 + minute * 60 + second);
    Timestamp::from_unix(seconds).system_time()
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
