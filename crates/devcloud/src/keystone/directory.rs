//! Who there is: users, projects, roles, application credentials, the catalogue.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::random::Ids;

/// The only domain.
pub(crate) fn domain() -> Value {
    json!({"id": "default", "name": "Default"})
}

#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) password: String,
    pub(crate) enabled: bool,
    pub(crate) default_project: Option<String>,
    /// Has the admin role on the system.
    pub(crate) system_admin: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Project {
    pub(crate) id: String,
    pub(crate) name: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Role {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Role {
    /// The role as an application credential shows it. Those that bootstrap makes are immutable.
    pub(crate) fn shown(&self) -> Value {
        let bootstrapped = ["admin", "manager", "member", "reader", "service"].contains(&self.name.as_str());
        let options = if bootstrapped { json!({"immutable": true}) } else { json!({}) };
        json!({"id": self.id, "name": self.name, "domain_id": null, "description": null, "options": options})
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ApplicationCredential {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Value,
    pub(crate) secret: String,
    pub(crate) user: String,
    /// None if it was made with an unscoped token.
    pub(crate) project: Option<String>,
    /// Role names.
    pub(crate) roles: Vec<String>,
    pub(crate) expires: Option<SystemTime>,
    pub(crate) unrestricted: Value,
}

#[derive(Debug, Clone)]
pub(crate) struct CatalogService {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) url: String,
    /// Interface and endpoint id.
    pub(crate) endpoints: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Directory {
    pub(crate) users: Vec<User>,
    pub(crate) projects: Vec<Project>,
    pub(crate) roles: Vec<Role>,
    /// User id, project id, role name.
    pub(crate) assignments: Vec<(String, String, String)>,
    pub(crate) credentials: Vec<ApplicationCredential>,
    pub(crate) services: Vec<CatalogService>,
}

impl Directory {
    /// What a bootstrapped Keystone has, and three users without admin rights.
    pub(crate) fn new(ids: &Ids) -> Self {
        let mut directory = Self {
            users: Vec::new(),
            projects: Vec::new(),
            roles: Vec::new(),
            assignments: Vec::new(),
            credentials: Vec::new(),
            services: Vec::new(),
        };
        directory.add_user(ids, "admin", "admin-secret", "admin", &["admin", "manager", "member", "reader"]);
        // Bootstrap gives admin no default project, and the admin role on the system.
        directory.users[0].default_project = None;
        directory.users[0].system_admin = true;
        directory.add_user(ids, "neutron", "neutron-secret", "service", &["admin", "service"]);
        // A member is also a reader: roles imply each other, and tokens name the implied ones.
        directory.add_user(ids, "demo", "demo-secret", "demo", &["member", "reader"]);
        directory.add_user(ids, "viewer", "viewer-secret", "demo", &["reader"]);
        directory.add_user(ids, "nobody", "nobody-secret", "demo", &["norole"]);
        directory
    }

    /// Adds a user; the project and the roles are made if they are not there.
    pub(crate) fn add_user(
        &mut self,
        ids: &Ids,
        name: &str,
        password: &str,
        project: &str,
        roles: &[&str],
    ) -> String {
        let project = match self.projects.iter().find(|known| known.name == project) {
            Some(known) => known.id.clone(),
            None => {
                self.projects.push(Project { id: ids.hex(), name: project.to_owned() });
                self.projects[self.projects.len() - 1].id.clone()
            }
        };
        let id = ids.hex();
        for role in roles {
            if !self.roles.iter().any(|known| known.name == *role) {
                self.roles.push(Role { id: ids.hex(), name: (*role).to_owned() });
            }
            self.assignments.push((id.clone(), project.clone(), (*role).to_owned()));
        }
        self.users.push(User {
            id: id.clone(),
            name: name.to_owned(),
            password: password.to_owned(),
            enabled: true,
            default_project: Some(project),
            system_admin: false,
        });
        id
    }

    pub(crate) fn add_service(&mut self, ids: &Ids, kind: &str, name: &str, url: &str) {
        let endpoints = ["public", "internal", "admin"]
            .iter()
            .map(|&interface| (interface.to_owned(), ids.hex()))
            .collect();
        self.services.push(CatalogService {
            id: ids.hex(),
            kind: kind.to_owned(),
            name: name.to_owned(),
            region: "RegionOne".to_owned(),
            url: url.to_owned(),
            endpoints,
        });
    }

    pub(crate) fn user(&self, id: &str) -> Option<&User> {
        self.users.iter().find(|user| user.id == id)
    }

    pub(crate) fn credential(&self, id: &str) -> Option<&ApplicationCredential> {
        self.credentials.iter().find(|known| known.id == id)
    }

    pub(crate) fn project(&self, id: &str) -> Option<&Project> {
        self.projects.iter().find(|project| project.id == id)
    }

    /// The names of a user's roles in a project.
    pub(crate) fn roles_in(&self, user: &str, project: &str) -> Vec<String> {
        self.assignments
            .iter()
            .filter(|(who, place, _)| who == user && place == project)
            .map(|(_, _, role)| role.clone())
            .collect()
    }

    /// The role and those that it implies: admin is also manager, manager also member, member also reader.
    pub(crate) fn with_implied(role: &str) -> Vec<String> {
        let chain = ["admin", "manager", "member", "reader"];
        match chain.iter().position(|known| *known == role) {
            Some(at) => chain[at..].iter().map(|&name| name.to_owned()).collect(),
            None => vec![role.to_owned()],
        }
    }

    /// `[{"id", "name"}…]`
    pub(crate) fn role_list(&self, names: &[String]) -> Value {
        self.roles
            .iter()
            .filter(|role| names.contains(&role.name))
            .map(|role| json!({"id": role.id, "name": role.name}))
            .collect()
    }

    pub(crate) fn catalog(&self) -> Value {
        self.services
            .iter()
            .map(|service| {
                let endpoints: Vec<Value> = service
                    .endpoints
                    .iter()
                    .map(|(interface, id)| {
                        json!({
                            "id": id, "interface": interface, "region_id": service.region,
                            "url": service.url, "region": service.region,
                        })
                    })
                    .collect();
                json!({"endpoints": endpoints, "id": service.id, "type": service.kind, "name": service.name})
            })
            .collect()
    }
}
