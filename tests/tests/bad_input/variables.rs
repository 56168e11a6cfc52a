//! Variables that cannot be used: a run names the variable and the value and does nothing.

use openstack_sync_tests::{PREFIX, Site};

use crate::world::world;

#[test]
fn a_value_that_cannot_be_used_is_named() {
    let table = [
        ("PRUNE", "True", "\"True\""),
        ("PRUNE", "", "\"\""),
        ("STATUS_ENABLED", "1", "\"1\""),
        ("ENABLED", "yes", "\"yes\""),
        ("DRY_RUN", "TRUE", "\"TRUE\""),
        ("READY_RETRIES", "0", "\"0\""),
        ("READY_RETRIES", "-3", "\"-3\""),
        ("READY_RETRIES", "", "\"\""),
        ("READY_RETRIES", "3.5", "\"3.5\""),
        ("READY_DELAY", "nan", "\"nan\""),
        ("READY_DELAY", "inf", "\"inf\""),
        ("READY_DELAY", "-1", "\"-1\""),
        ("READY_DELAY", "soon", "\"soon\""),
        ("PRUNE_LIMIT", "-1", "\"-1\""),
        ("PRUNE_LIMIT", "all", "\"all\""),
        ("SYNC_CRONTAB", "*/0 * * * *", "\"*/0\""),
        ("SYNC_CRONTAB", "* * * *", "4 fields"),
        ("CATCH_UP_CRONTAB", "0 0 * * 7", "\"7\""),
        ("CRD_API_VERSION", "v1alpha1", "\"v1alpha1\""),
        ("CRD_RESOURCE", ".x", "\".x\""),
    ];
    for (suffix, value, said) in table {
        let mut world = world();
        let name = format!("{PREFIX}_{suffix}");
        world.site.hook.set(&name, value);
        world.fails(false, &[&name, said], Site::full);
    }
    for (name, value) in [("LOG_LEVEL", "loud"), ("LOG_FORMAT", "xml"), ("WATCH_NAMESPACES", "a,*")] {
        let mut world = world();
        world.site.hook.set(name, value);
        world.fails(false, &[name, value.trim_start_matches("a,")], Site::full);
    }
}

#[test]
fn a_required_variable_that_is_missing_is_named() {
    for suffix in ["CRD_API_VERSION", "CRD_KIND", "CRD_RESOURCE"] {
        for value in [None, Some("")] {
            let mut world = world();
            let name = format!("{PREFIX}_{suffix}");
            match value {
                None => world.site.hook.unset(&name),
                Some(value) => world.site.hook.set(&name, value),
            };
            world.fails(false, &[&name, "required"], Site::full);
        }
    }
}

/// The work is done all the same; that it cannot be told is a failure.
#[test]
fn a_metrics_file_that_cannot_be_written_is_named() {
    let mut site = Site::new();
    site.apply(openstack_sync_tests::flavor_cr("good", "devcloud", serde_json::json!({})));
    site.hook.set("METRICS_PATH", "/nonexistent/metrics");
    let outcome = site.full().expect(1);
    assert!(outcome.says(&["cannot write /nonexistent/metrics", "No such file"]), "{}", outcome.stderr);
    assert!(site.verdict("good").starts_with("Synced"));
}

/// No Kubernetes API to be found: said as such, once.
#[test]
fn a_kubeconfig_that_is_not_there_is_named() {
    let mut site = Site::new();
    site.apply(openstack_sync_tests::flavor_cr("good", "devcloud", serde_json::json!({})));
    site.hook.set("KUBECONFIG", "/nonexistent/kubeconfig");
    let outcome = site.full().expect(1);
    assert!(outcome.says(&["/nonexistent/kubeconfig"]), "{}", outcome.stderr);
    assert_eq!(site.requests(), <[String; 0]>::default());
}
