//! Times as the services write them (RFC 3339, UTC).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// `2026-11-29T13:52:29Z`, as Kubernetes and Neutron write times.
pub(crate) fn seconds(at: SystemTime) -> String {
    let total = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = civil(total / 86_400);
    let rest = total % 86_400;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest % 3600 / 60, rest % 60)
}

/// `2026-11-29T13:52:29.000000Z`: Keystone writes six decimals that are always zero.
pub(crate) fn micros(at: SystemTime) -> String {
    seconds(at).replace('Z', ".000000Z")
}

/// `Sun, 29 Nov 2026 13:51:48 GMT`, the `Date` header (RFC 9110).
pub(crate) fn http_date(at: SystemTime) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let total = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = total / 86_400;
    let (year, month, day) = civil(days);
    let weekday = DAYS[usize::try_from(days % 7).unwrap_or(0)];
    let month = MONTHS[usize::try_from(month - 1).unwrap_or(0)];
    let rest = total % 86_400;
    let (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60);
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Reads `YYYY-MM-DDTHH:MM:SS`, with optional decimals and an optional `Z` or offset.
pub(crate) fn parse(text: &str) -> Option<SystemTime> {
    let (date, clock) = text.split_once(['T', 't', ' '])?;
    let date: Vec<u64> = date.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [year, month, day] = date[..] else { return None };
    let split = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
    let (clock, zone) = clock.split_at(split);
    let whole = clock.split('.').next()?;
    let whole: Vec<u64> = whole.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = whole[..] else { return None };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let local = (days(year, month, day)? * 86_400) + hour * 3600 + minute * 60 + second;
    let shift = match zone {
        "" | "Z" | "z" => 0,
        zone => {
            let (hours, minutes) = zone[1..].split_once(':')?;
            let seconds = hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60;
            if zone.starts_with('+') { -seconds } else { seconds }
        }
    };
    UNIX_EPOCH.checked_add(Duration::from_secs(local.checked_add_signed(shift)?))
}

/// True for a `date-time` as JSON schema means it: an offset is required.
pub(crate) fn is_date_time(text: &str) -> bool {
    let zoned = text.ends_with(['Z', 'z']) || text.get(19..).is_some_and(|rest| rest.contains(['+', '-']));
    zoned && parse(text).is_some()
}

// Both after the usual "days from civil" arithmetic: years are counted from March, eras are 400 years.
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let era = z / 146_097;
    let day_of_era = z % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * 146_097 + day_of_era).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read_back() {
        let at = UNIX_EPOCH + Duration::from_secs(1_795_960_349);
        assert_eq!(seconds(at), "2026-11-29T13:52:29Z");
        assert_eq!(micros(at), "2026-11-29T13:52:29.000000Z");
        assert_eq!(http_date(at), "Sun, 29 Nov 2026 13:52:29 GMT");
        assert_eq!(parse("2026-11-29T13:52:29Z"), Some(at));
        assert_eq!(parse("2026-11-29T13:52:29.123456"), Some(at));
        assert_eq!(parse("2026-11-29T14:52:29+01:00"), Some(at));
        assert_eq!(seconds(UNIX_EPOCH + Duration::from_secs(951_782_400)), "2000-02-29T00:00:00Z");
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["yesterday", "2026-13-01T00:00:00Z", "2026-11-29", "2026-11-29T25:00:00Z", ""] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(is_date_time("2026-11-29T13:52:29Z"));
        assert!(!is_date_time("2026-11-29T13:52:29"));
    }
}
