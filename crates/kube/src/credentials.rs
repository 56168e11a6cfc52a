//! The credentials in use, and when others are obtained.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rest::{Options, Secret};

use crate::config::{self, Auth};
use crate::{Error, Exec};

/// What a request is sent with.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Login {
    /// The `Authorization` header.
    pub(crate) authorization: Option<Secret>,
    /// A client certificate in place of the configuration's.
    pub(crate) identity: Option<Secret>,
    expires: Option<SystemTime>,
}

/// Obtains a login when it is first needed, and keeps it.
pub(crate) struct Credentials {
    auth: Auth,
    /// For plugins.
    server: String,
    known: Mutex<Option<Login>>,
}

impl Credentials {
    pub(crate) fn new(auth: Auth, server: String) -> Credentials {
        Credentials { auth, server, known: Mutex::default() }
    }

    /// The login in use, or another if it has expired. `options` are how the server is reached, for plugins.
    pub(crate) fn current(&self, options: &Options) -> Result<Login, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = SystemTime::now();
        match known.take().filter(|login| login.expires.is_none_or(|end| now < end)) {
            Some(login) => Ok(known.insert(login).clone()),
            None => Ok(known.insert(self.obtain(options)?).clone()),
        }
    }

    /// Another login in place of one that the server answered 401 to; `None` if there is no other to be had.
    pub(crate) fn renew(&self, refused: &Login, options: &Options) -> Result<Option<Login>, Error> {
        if !matches!(self.auth, Auth::TokenFile(_) | Auth::Exec(_)) {
            return Ok(None);
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.take().filter(|login| login != refused) {
            // Another thread was faster.
            Some(login) => Ok(Some(known.insert(login).clone())),
            None => Ok(Some(known.insert(self.obtain(options)?).clone())),
        }
    }

    fn obtain(&self, options: &Options) -> Result<Login, Error> {
        match &self.auth {
            Auth::None => Ok(Login::default()),
            Auth::Token(token) => Ok(bearer(token)),
            Auth::TokenFile(path) => token_file(path),
            Auth::Basic { username, password } => {
                let both = STANDARD.encode(format!("{username}:{}", password.expose()));
                Ok(authorization(format!("Basic {both}")))
            }
            Auth::Exec(exec) => plugin(exec, &self.server, options),
        }
    }
}

fn token_file(path: &Path) -> Result<Login, Error> {
    log::debug!("reading the token file {}", path.display());
    Ok(bearer(&config::read_token(path)?))
}

fn plugin(exec: &Exec, server: &str, options: &Options) -> Result<Login, Error> {
    let answer = exec.run(server, options)?;
    let token = answer.token.as_ref().map(bearer).unwrap_or_default();
    Ok(Login { identity: answer.identity, expires: answer.expires, ..token })
}

fn bearer(token: &Secret) -> Login {
    authorization(format!("Bearer {}", token.expose()))
}

fn authorization(value: String) -> Login {
    Login { authorization: Some(value.into()), ..Login::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_another_thread_has_renewed_is_taken_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        let write = |token: &str| std::fs::write(&path, token).unwrap();
        let credentials = Credentials::new(Auth::TokenFile(path.clone()), String::new());
        let options = Options::default();
        write("one");
        let one = credentials.current(&options).unwrap();
        write("two");
        let two = credentials.renew(&one, &options).unwrap().unwrap();
        assert_eq!(two.authorization, Some(Secret::new("Bearer two")));
        write("three");
        assert!(credentials.renew(&one, &options).unwrap() == Some(two.clone()));
        assert!(credentials.renew(&two, &options).unwrap() != Some(two));
    }

    #[test]
    fn fixed_credentials_cannot_be_renewed() {
        let basic = Auth::Basic { username: "me".to_owned(), password: Secret::new("p") };
        for auth in [Auth::None, Auth::Token(Secret::new("t")), basic] {
            let credentials = Credentials::new(auth, String::new());
            let login = credentials.current(&Options::default()).unwrap();
            assert!(credentials.renew(&login, &Options::default()).unwrap().is_none());
        }
    }
}
