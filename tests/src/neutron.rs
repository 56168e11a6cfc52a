//! A cloud's Neutron seen from outside, over HTTP: devcloud's or a real one. Written apart from the crates under
//! test, so that a fault of theirs cannot hide itself.

use rest::{Client, Options, Request, Retry};
use serde_json::{Value, json};

/// An administrator's view of one Neutron.
pub struct Neutron {
    client: Client,
    url: String,
    token: String,
}

impl Neutron {
    /// Logs in with an entry of a `clouds.yaml` (password, project scope, plain http).
    ///
    /// # Panics
    /// If anything about it does not work: these are tests.
    pub fn login(clouds_yaml: &str, cloud: &str) -> Self {
        let clouds = rest::yaml::parse(clouds_yaml).expect("clouds.yaml is YAML");
        let auth = &clouds["clouds"][cloud]["auth"];
        let text =
            |key: &str| auth[key].as_str().unwrap_or_else(|| panic!("auth.{key} of {cloud}")).to_owned();
        let domain = |key: &str| match auth[format!("{key}_name")].as_str() {
            Some(name) => json!({"name": name}),
            None => json!({"id": auth[format!("{key}_id")].as_str().unwrap_or("default")}),
        };
        let body = json!({"auth": {
            "identity": {"methods": ["password"], "password": {"user": {
                "name": text("username"), "password": text("password"), "domain": domain("user_domain")}}},
            "scope": {"project": {"name": text("project_name"), "domain": domain("project_domain")}},
        }});
        let client = Client::new(Options::default()).expect("a client");
        let url = format!("{}/auth/tokens", text("auth_url").trim_end_matches('/'));
        let answer = client.send(&Request::post(url).json(&body), &Retry::never()).expect("Keystone answers");
        assert_eq!(answer.status, 201, "{}", answer.text());
        let token = answer.header("x-subject-token").expect("a token").to_owned();
        let catalog = answer.json().expect("JSON")["token"]["catalog"].clone();
        let network =
            catalog.as_array().and_then(|all| all.iter().find(|service| service["type"] == "network"));
        let url = network
            .and_then(|service| service["endpoints"].as_array()?.iter().find(|e| e["interface"] == "public"))
            .and_then(|endpoint| endpoint["url"].as_str())
            .expect("a public network endpoint");
        Self { client, url: format!("{}/v2.0", url.trim_end_matches('/')), token }
    }

    /// One request; answers the status and the body.
    ///
    /// # Panics
    /// If no answer comes.
    pub fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let url = format!("{}{path}", self.url);
        let mut request = match method {
            "GET" => Request::get(url),
            "POST" => Request::post(url),
            "PUT" => Request::put(url),
            "DELETE" => Request::delete(url),
            other => panic!("no method {other}"),
        };
        if let Some(body) = body {
            request = request.json(body);
        }
        let request = request.secret_header("X-Auth-Token", rest::Secret::new(&self.token));
        let answer = self.client.send(&request, &Retry::never()).expect("Neutron answers");
        (answer.status, answer.json().unwrap_or_default())
    }

    fn must(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self.call(method, path, body);
        assert!(status < 300, "{method} {path}: {status} {answer}");
        answer
    }

    /// A whole list, page by page, by id.
    fn list(&self, path: &str, key: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let page = self.must("GET", &path, None);
            items.extend(page[key].as_array().cloned().unwrap_or_default());
            let links = page[format!("{key}_links")].as_array().cloned().unwrap_or_default();
            let href = links.iter().find(|link| link["rel"] == "next").and_then(|link| link["href"].as_str());
            next = href.and_then(|href| href.strip_prefix(self.url.as_str())).map(str::to_owned);
        }
        items.sort_by_key(|item| item["id"].to_string());
        items
    }

    /// All flavors, by id, each with its profile ids sorted.
    pub fn flavors(&self) -> Vec<Value> {
        let mut flavors = self.list("/flavors", "flavors");
        for flavor in &mut flavors {
            if let Some(ids) = flavor["service_profiles"].as_array_mut() {
                ids.sort_by_key(Value::to_string);
            }
        }
        flavors
    }

    /// All service profiles, by id.
    pub fn profiles(&self) -> Vec<Value> {
        self.list("/service_profiles", "service_profiles")
    }

    /// The flavors with exactly this name.
    pub fn named(&self, name: &str) -> Vec<Value> {
        self.flavors().into_iter().filter(|flavor| flavor["name"] == name).collect()
    }

    /// The one flavor with this name.
    ///
    /// # Panics
    /// If there is none, or more than one.
    #[track_caller]
    pub fn flavor(&self, name: &str) -> Value {
        let mut found = self.named(name);
        assert_eq!(found.len(), 1, "flavors named {name}: {found:?}");
        found.remove(0)
    }

    /// The profiles that a flavor is bound to.
    pub fn profiles_of(&self, flavor: &Value) -> Vec<Value> {
        let ids = flavor["service_profiles"].as_array().cloned().unwrap_or_default();
        self.profiles().into_iter().filter(|profile| ids.contains(&profile["id"])).collect()
    }

    /// Creates a flavor; answers it.
    pub fn add_flavor(&self, fields: Value) -> Value {
        self.must("POST", "/flavors", Some(&json!({"flavor": fields})))["flavor"].clone()
    }

    /// Creates a service profile; answers it.
    pub fn add_profile(&self, fields: Value) -> Value {
        self.must("POST", "/service_profiles", Some(&json!({"service_profile": fields})))["service_profile"]
            .clone()
    }

    /// Binds a profile to a flavor, both as answered.
    pub fn bind(&self, flavor: &Value, profile: &Value) {
        let path = format!("/flavors/{}/service_profiles", id(flavor));
        self.must("POST", &path, Some(&json!({"service_profile": {"id": id(profile)}})));
    }

    /// Unbinds a profile from a flavor.
    pub fn unbind(&self, flavor: &Value, profile: &Value) {
        self.must("DELETE", &format!("/flavors/{}/service_profiles/{}", id(flavor), id(profile)), None);
    }

    /// Changes a flavor.
    pub fn update_flavor(&self, flavor: &Value, fields: Value) {
        self.must("PUT", &format!("/flavors/{}", id(flavor)), Some(&json!({"flavor": fields})));
    }

    /// Creates a router of this flavor; answers it.
    pub fn add_router(&self, name: &str, flavor: &Value) -> Value {
        let body = json!({"router": {"name": name, "flavor_id": id(flavor)}});
        self.must("POST", "/routers", Some(&body))["router"].clone()
    }

    /// Deletes a router.
    pub fn delete_router(&self, router: &Value) {
        self.must("DELETE", &format!("/routers/{}", id(router)), None);
    }

    /// Deletes routers, flavors and profiles: for a cloud that only tests use.
    pub fn wipe(&self) {
        for router in self.list("/routers", "routers") {
            self.delete_router(&router);
        }
        for flavor in self.flavors() {
            self.must("DELETE", &format!("/flavors/{}", id(&flavor)), None);
        }
        for profile in self.profiles() {
            self.must("DELETE", &format!("/service_profiles/{}", id(&profile)), None);
        }
    }

    /// Flavors and profiles as they are, for comparisons of before and after.
    pub fn snapshot(&self) -> Value {
        json!({"flavors": self.flavors(), "profiles": self.profiles()})
    }
}

fn id(thing: &Value) -> &str {
    thing["id"].as_str().expect("an id")
}
