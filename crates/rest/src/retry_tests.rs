use super::*;

/// A clock that stands still, with full jitter.
struct Still;

impl Clock for Still {
    fn now(&self) -> Instant {
        Instant::now()
    }
    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777) // Sun, 06 Nov 1994 08:49:37 GMT
    }
    fn sleep(&self, _: Duration) {}
    fn jitter(&self) -> f64 {
        1.0
    }
}

fn status(status: u16, retry_after: Option<&str>) -> Result<Response, Error> {
    let headers = retry_after.map(|value| ("retry-after".to_owned(), value.to_owned())).into_iter().collect();
    Ok(Response { status, headers, body: Vec::new() })
}

fn refused() -> Result<Response, Error> {
    Err(Error::Connect { peer: "p".into(), problem: "connection refused".into(), source: "x".into() })
}

fn cut() -> Result<Response, Error> {
    Err(Error::Broken { peer: "p".into(), problem: "cut".into(), source: "x".into() })
}

fn timeout(sent: bool) -> Result<Response, Error> {
    Err(Error::Timeout { peer: "p".into(), limit: 5, sent })
}

fn tls() -> Result<Response, Error> {
    Err(Error::Tls { peer: "p".into(), problem: "untrusted".into(), sent: false, source: "x".into() })
}

fn repeatable() -> Retry {
    Retry::new(RETRY_BUDGET, &[429, 503]).with_clock(Arc::new(Still))
}

fn unsent() -> Retry {
    Retry::unsent(RETRY_BUDGET).with_clock(Arc::new(Still))
}

#[test]
fn what_is_repeated() {
    let too_large = || Err(Error::TooLarge { peer: "p".into(), limit: 1 });
    // outcome, with Retry::new, with Retry::unsent
    let table: [(&str, Result<Response, Error>, bool, bool); 10] = [
        ("200", status(200, None), false, false),
        ("404", status(404, Some("1")), false, false),
        ("429", status(429, None), true, false),
        ("503", status(503, Some("1")), true, false),
        ("refused", refused(), true, true),
        ("cut", cut(), true, false),
        ("connect timeout", timeout(false), true, true),
        ("request timeout", timeout(true), false, false),
        ("certificate", tls(), false, false),
        ("too large", too_large(), false, false),
    ];
    for (name, outcome, with_new, with_unsent) in table {
        assert_eq!(repeatable().pause(0, Duration::ZERO, &outcome).is_some(), with_new, "new: {name}");
        assert_eq!(unsent().pause(0, Duration::ZERO, &outcome).is_some(), with_unsent, "unsent: {name}");
        assert_eq!(Retry::never().pause(0, Duration::ZERO, &outcome), None, "never: {name}");
    }
}

#[test]
fn how_long_it_waits() {
    let seconds = Duration::from_secs_f64;
    // attempt, Retry-After, pause
    for (attempt, retry_after, pause) in [
        (0, None, 0.5),
        (1, None, 1.0),
        (2, None, 2.0),
        (3, None, 4.0),
        (4, None, 4.0),
        (99, None, 4.0),
        (0, Some("1"), 1.0),
        (3, Some("1"), 4.0),
        (0, Some("600"), 10.0),
        (0, Some("Sun, 06 Nov 1994 08:49:40 GMT"), 3.0),
        (0, Some("soon"), 0.5),
        (0, Some("0"), 0.5),
    ] {
        let outcome = status(503, retry_after);
        assert_eq!(
            repeatable().pause(attempt, Duration::ZERO, &outcome),
            Some(seconds(pause)),
            "{attempt} {retry_after:?}"
        );
    }
}

#[test]
fn the_budget_ends_it() {
    let at = |elapsed: f64| repeatable().pause(3, Duration::from_secs_f64(elapsed), &status(503, None));
    assert_eq!(at(15.9), Some(Duration::from_secs(4)));
    assert_eq!(at(16.0), None);
    assert_eq!(at(60.0), None);
}

#[test]
fn jitter_takes_away_up_to_half() {
    assert_eq!(backoff(0, 0.0), Duration::from_millis(250));
    assert_eq!(backoff(0, 0.5), Duration::from_millis(375));
    assert_eq!(backoff(3, 1.0), Duration::from_secs(4));
    for _ in 0..100 {
        let jitter = System.jitter();
        assert!((0.0..=1.0).contains(&jitter), "{jitter}");
    }
}
