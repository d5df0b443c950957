//! Who may talk to the server: the page that it gave out itself, and nobody else.
//!
//! Any page in the user's browser can send requests to a port of this machine. So the address has a token that nobody can guess, the
//! name of the host must be ours (or else a name that was made to point here would do), and whatever changes something must come from
//! our own page.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Method, StatusCode, header};

/// The port that is meant where none is named.
const USUAL: u16 = 80;

/// What the server knows of itself.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    /// The port of a server that listens on all addresses of the machine.
    everywhere: Option<u16>,
    token: String,
}

impl Guard {
    /// The guard of a server that listens here.
    pub fn new(address: SocketAddr, token: String) -> Guard {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        let everywhere = address.ip().is_unspecified().then_some(port);
        if address.ip().is_loopback() || everywhere.is_some() {
            hosts.push(format!("localhost:{port}"));
        }
        // A browser does not say the usual port.
        if port == USUAL {
            let known = hosts.clone();
            hosts.extend(known.iter().map(|host| host[..host.len() - 3].to_string()));
        }
        Guard {
            hosts,
            everywhere,
            token,
        }
    }

    /// Is it us who are called so? Whoever listens on all addresses is called by any of them. A number is never a name that somebody made to
    /// point here.
    fn is_own(&self, host: &str) -> bool {
        let by_number = || {
            let whole = format!("{host}:{USUAL}");
            let named = host.parse::<SocketAddr>().or_else(|_| whole.parse());
            named.ok().map(|address| address.port())
        };
        self.hosts.iter().any(|known| known == host)
            || self.everywhere.is_some() && by_number() == self.everywhere
    }

    /// What is asked for, without the token; or why nobody is told.
    pub fn admit<'p>(
        &self,
        method: &Method,
        path: &'p str,
        headers: &HeaderMap,
    ) -> Result<&'p str, StatusCode> {
        let host = single(headers, header::HOST).ok_or(StatusCode::BAD_REQUEST)?;
        if !self.is_own(host) {
            return Err(StatusCode::FORBIDDEN);
        }
        let own = format!("http://{host}");
        match (headers.contains_key(header::ORIGIN), method) {
            (true, _) if single(headers, header::ORIGIN) != Some(&own) => {
                return Err(StatusCode::FORBIDDEN);
            }
            // Browsers say where a request that changes something comes from.
            (false, &Method::POST) => return Err(StatusCode::FORBIDDEN),
            _ => {}
        }
        let inside = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        match inside {
            Some((token, rest)) if is_same(token, &self.token) => Ok(rest),
            _ => Err(StatusCode::FORBIDDEN),
        }
    }
}

/// A header that is there once.
fn single(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Takes as long whatever is different.
fn is_same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes());
    let differing = differing.fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Result<String, u16> {
        let guard = Guard::new("127.0.0.1:4000".parse().unwrap(), "secret".into());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: header::HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        let admitted = guard.admit(&method, path, &map);
        admitted.map(str::to_string).map_err(|code| code.as_u16())
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4000");
    const ORIGIN: (&str, &str) = ("origin", "http://127.0.0.1:4000");

    #[test]
    fn only_the_own_page_is_admitted() {
        assert_eq!(ask(Method::GET, "/secret/a.js", &[HOST]), Ok("a.js".into()));
        assert_eq!(
            ask(Method::POST, "/secret/api/act", &[HOST, ORIGIN]),
            Ok("api/act".into())
        );
        let local = [
            ("host", "localhost:4000"),
            ("origin", "http://localhost:4000"),
        ];
        assert!(ask(Method::POST, "/secret/", &local).is_ok());
    }

    #[test]
    fn who_listens_on_all_addresses_is_called_by_any_but_by_no_name() {
        let guard = Guard::new("0.0.0.0:4000".parse().unwrap(), "secret".into());
        for host in [
            "127.0.0.1:4000",
            "192.0.2.7:4000",
            "[2001:db8::1]:4000",
            "localhost:4000",
        ] {
            assert!(guard.is_own(host), "{host}");
        }
        for host in ["elsewhere.example:4000", "192.0.2.7:4001", "192.0.2.7"] {
            assert!(!guard.is_own(host), "{host}");
        }
    }

    #[test]
    fn the_usual_port_need_not_be_named() {
        let guard = Guard::new("127.0.0.1:80".parse().unwrap(), "secret".into());
        for host in ["127.0.0.1:80", "127.0.0.1", "localhost:80", "localhost"] {
            assert!(guard.is_own(host), "{host}");
        }
        assert!(!guard.is_own("127.0.0.1:8") && !guard.is_own("192.0.2.7"));
        let everywhere = Guard::new("[::]:80".parse().unwrap(), "secret".into());
        for host in ["192.0.2.7", "[2001:db8::1]", "[2001:db8::1]:80"] {
            assert!(everywhere.is_own(host), "{host}");
        }
        assert!(!everywhere.is_own("elsewhere.example"));
        let other = Guard::new("0.0.0.0:4000".parse().unwrap(), "secret".into());
        assert!(!other.is_own("192.0.2.7"));
    }

    #[test]
    fn everybody_else_is_not() {
        for path in [
            "/",
            "",
            "/secret",
            "/secre/",
            "/secrets/",
            "/SECRET/",
            "//secret/",
        ] {
            assert_eq!(ask(Method::GET, path, &[HOST]), Err(403), "{path}");
        }
        let elsewhere = ("origin", "http://elsewhere.example");
        for headers in [
            &[("host", "elsewhere.example:4000")][..],
            &[("host", "127.0.0.1:4001")],
            &[("host", "127.0.0.1")],
            &[HOST, elsewhere],
            &[HOST, ORIGIN, elsewhere],
            &[HOST, ("origin", "null")],
            &[HOST, ("origin", "http://localhost:4000")],
        ] {
            assert_eq!(
                ask(Method::GET, "/secret/", headers),
                Err(403),
                "{headers:?}"
            );
        }
        assert_eq!(ask(Method::GET, "/secret/", &[]), Err(400));
        assert_eq!(ask(Method::GET, "/secret/", &[HOST, HOST]), Err(400));
        assert_eq!(ask(Method::POST, "/secret/", &[HOST]), Err(403));
    }
}
