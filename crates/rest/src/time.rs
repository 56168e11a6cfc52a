//! RFC 3339, written in UTC with whole seconds: the only form of time that Kubernetes statuses use.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment, in whole seconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The present, by the system's clock.
    pub fn now() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Self(i64::try_from(seconds).unwrap_or(i64::MAX))
    }

    /// That many seconds after the epoch.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since the epoch.
    pub fn unix(self) -> i64 {
        self.0
    }

    /// As the clock of the system counts; `None` before 1970.
    pub fn system_time(self) -> Option<SystemTime> {
        UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(self.0).ok()?))
    }

    /// The minute of the hour, 0 to 59.
    pub fn minute(self) -> i64 {
        self.0.div_euclid(60).rem_euclid(60)
    }

    /// Parses `YYYY-MM-DDTHH:MM:SS`, an optional fraction (dropped), and `Z` or an offset.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |range| number(text, range);
        let bytes = text.as_bytes();
        let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
        if separators.iter().any(|&(at, byte)| bytes.get(at) != Some(&byte)) {
            return None;
        }
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        if !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
            return None;
        }
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let mut zone = text.get(19..)?;
        if let Some(fraction) = zone.strip_prefix('.') {
            let digits = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            zone = fraction.get(digits..).filter(|_| digits > 0)?;
        }
        let offset = match zone.as_bytes() {
            [b'Z'] => 0,
            [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
                let (hours, minutes) = (self::number(zone, 1..3)?, self::number(zone, 4..6)?);
                (hours * 3600 + minutes * 60) * if *sign == b'+' { 1 } else { -1 }
            }
            _ => return None,
        };
        Some(Self(days_from_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset))
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (days, seconds) = (self.0.div_euclid(86_400), self.0.rem_euclid(86_400));
        let (year, month, day) = date_of(days);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// Digits alone, at this place: no sign, no blank.
fn number(text: &str, range: std::ops::Range<usize>) -> Option<i64> {
    let digits = text.get(range)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days before the first of January of `year`, counted from the epoch.
fn days_to_year(year: i64) -> i64 {
    let before = year - 1;
    let leap_days = |y: i64| y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400);
    (year - 1970) * 365 + leap_days(before) - leap_days(1969)
}

/// Days from the epoch to a date.
pub(crate) fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    days_to_year(year) + (1..month).map(|m| days_in(year, m)).sum::<i64>() + day - 1
}

fn date_of(days: i64) -> (i64, i64, i64) {
    // A first guess that is never too late, whichever side of 1970.
    let mut year = 1970 + days.div_euclid(if days < 0 { 365 } else { 366 });
    while days_to_year(year + 1) <= days {
        year += 1;
    }
    let mut rest = days - days_to_year(year);
    let mut month = 1;
    while rest >= days_in(year, month) {
        rest -= days_in(year, month);
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_moments() {
        for (text, seconds) in [
            ("1968-12-31T23:59:59Z", -31_536_001),
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:34:56Z", 951_827_696),
            ("2026-11-29T13:30:07Z", 1_795_959_007),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] {
            assert_eq!(Timestamp::from_unix(seconds).to_string(), text);
            assert_eq!(Timestamp::parse(text), Some(Timestamp::from_unix(seconds)), "{text}");
        }
    }

    #[test]
    fn offsets_and_fractions() {
        let want = Timestamp::parse("2026-11-29T13:30:07Z");
        assert_eq!(Timestamp::parse("2026-11-29T13:30:07.000000Z"), want);
        assert_eq!(Timestamp::parse("2026-11-29T15:30:07+02:00"), want);
        assert_eq!(Timestamp::parse("2026-11-29T08:00:07-05:30"), want);
    }

    #[test]
    fn moments_of_the_systems_clock() {
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
            let moment = Timestamp::parse(text).and_then(Timestamp::system_time);
            let moment = moment.map(|date| date.duration_since(UNIX_EPOCH).unwrap().as_secs());
            assert_eq!(moment, seconds, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for bad in [
            "",
            "yesterday",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-11-29 13:30:07Z",
            "2026-11-29T13:30:07",
            "2026-11-29T13:30:07.Z",
            "2026-11-29T24:00:00Z",
            "+026-11-29T13:30:07Z",
        ] {
            assert_eq!(Timestamp::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn text_and_back(seconds in -2_208_988_800_i64..253_402_300_799) {
            let moment = Timestamp::from_unix(seconds);
            prop_assert_eq!(Timestamp::parse(&moment.to_string()), Some(moment));
        }

        #[test]
        fn any_text_is_survived(text in ".{0,40}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
