//! Clouds behind TLS: the CA comes with the Secret, or the certificate is not looked at because the user says so.

use devcloud::{DevCloud, Options};
use openstack_sync_tests::{NAMESPACE, SECRET, Site, flavor_cr};
use serde_json::{Value, json};

/// A site whose Keystone and Neutron have certificates of devcloud's own CA, and one CR.
fn site() -> Site {
    let site = Site::with(Options { openstack_tls: true, ..Options::default() });
    assert!(site.clouds_yaml().contains("https://"));
    site.apply(flavor_cr("gold", "devcloud", json!({})));
    site
}

/// Makes the Secret hold this `clouds.yaml`, and this CA bundle if there is one.
fn set_secret(site: &Site, clouds_yaml: &str, ca: Option<&str>) {
    let mut secret = DevCloud::clouds_secret(NAMESPACE, SECRET, clouds_yaml);
    if let Some(ca) = ca {
        secret["stringData"]["cacert"] = Value::from(ca);
    }
    site.apply(secret);
}

fn flavors(site: &Site) -> usize {
    site.dev.neutron().flavors().len()
}

#[test]
fn the_key_cacert_of_the_secret_is_the_ca_bundle() {
    let site = site();
    set_secret(&site, site.clouds_yaml(), Some(site.dev.ca_pem()));
    site.full().expect(0);
    assert_eq!(flavors(&site), 1);
    assert!(site.verdict("gold").starts_with("Synced"), "{}", site.verdict("gold"));
}

#[test]
fn a_ca_inside_clouds_yaml_will_do() {
    let site = site();
    let pem = site.dev.ca_pem().trim_end().replace('\n', "\n      ");
    let inline = format!("region_name: RegionOne\n    cacert: |\n      {pem}\n");
    set_secret(&site, &site.clouds_yaml().replace("region_name: RegionOne\n", &inline), None);
    site.full().expect(0);
    assert_eq!(flavors(&site), 1);
}

#[test]
fn an_unknown_ca_fails_the_crs_with_a_text_that_says_so() {
    let site = site();
    let outcome = site.full().expect(1);
    assert_eq!(flavors(&site), 0);
    let verdict = site.verdict("gold");
    assert!(verdict.starts_with("Failed (ReconcileError): OpenStack connection failed: "), "{verdict}");
    assert!(verdict.contains("certificate"), "{verdict}");
    site.full().expect(1);
    assert_eq!(site.verdict("gold"), verdict, "the text is the same from run to run");
    assert!(outcome.says(&["certificate"]), "{}", outcome.stderr);
}

#[test]
fn a_certificate_is_not_looked_at_if_clouds_yaml_says_so_in_any_spelling_of_pyyaml() {
    for line in ["verify: false", "verify: no", "insecure: yes", "verify: 'off'"] {
        let site = site();
        let text = site
            .clouds_yaml()
            .replace("region_name: RegionOne", &format!("region_name: RegionOne\n    {line}"));
        set_secret(&site, &text, None);
        site.full().expect(0);
        assert_eq!(flavors(&site), 1, "{line}");
    }
}
