//! The web server: a few files, and the way to the questions.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::assets::asset;
use crate::guard::Guard;
use crate::requests::SharedSession;
use crate::session::Session;

/// No request is larger: a model of a megabyte is longer than any.
const LARGEST: usize = 2 << 20;

/// Nothing but our own files, and no page around ours. The editor of the page makes style sheets while it runs, which it shows to be its own by a number that
/// nobody else knows.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// Where to listen.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The address; one that is not of this machine lets others in.
    pub host: IpAddr,
    /// The port; any that is free if it is 0.
    pub port: u16,
}

/// A server that listens and has not answered yet.
#[derive(Debug)]
pub struct Bound {
    listener: std::net::TcpListener,
    guard: Guard,
    url: String,
    nonce: String,
}

impl Bound {
    /// The address of the page, with the token.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Listens, without answering yet.
pub fn bind(address: Address) -> io::Result<Bound> {
    let listener = std::net::TcpListener::bind(SocketAddr::new(address.host, address.port))?;
    listener.set_nonblocking(true)?;
    let local = listener.local_addr()?;
    let token = secret()?;
    let shown = match local.ip() {
        // Nobody is called so; on this machine, and elsewhere by its address, it is reached.
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let shown = SocketAddr::new(shown, local.port());
    Ok(Bound {
        url: format!("http://{shown}/{token}/"),
        guard: Guard::new(local, token),
        nonce: secret()?,
        listener,
    })
}

/// Something that nobody can guess.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Serves a session until the process ends.
pub fn serve(bound: Bound, session: Session) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_io()
        .build()?;
    let shared = Arc::new(Shared {
        guard: bound.guard,
        policy: policy(&bound.nonce),
        nonce: bound.nonce,
        session: SharedSession::new(session),
    });
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(bound.listener)?;
        let router = Router::new().fallback(answer).with_state(shared);
        axum::serve(listener, router).await
    })
}

struct Shared {
    guard: Guard,
    nonce: String,
    policy: String,
    session: SharedSession,
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let mut response = reply(shared.clone(), request).await;
    if let Ok(policy) = HeaderValue::from_str(&shared.policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

async fn reply(shared: Arc<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let admitted = shared
        .guard
        .admit(&parts.method, parts.uri.path(), &parts.headers);
    let name = match admitted {
        Ok(name) => name.to_string(),
        Err(code) => return plain(code, "access denied"),
    };
    if parts.method == Method::GET {
        if name == "draw.css" {
            let style = mazurka_draw::style_of_page().into_bytes();
            return respond(StatusCode::OK, "text/css; charset=utf-8", style);
        }
        return match asset(&name) {
            Some((page, kind)) if name.is_empty() => {
                let page = String::from_utf8_lossy(page).replace("{{nonce}}", &shared.nonce);
                respond(StatusCode::OK, kind, page.into_bytes())
            }
            Some((bytes, kind)) => respond(StatusCode::OK, kind, bytes.to_vec()),
            None => plain(StatusCode::NOT_FOUND, "there is no such file"),
        };
    }
    let Some(question) = name.strip_prefix("api/").map(str::to_string) else {
        return plain(StatusCode::NOT_FOUND, "there is no such request");
    };
    if parts.method != Method::POST {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "use POST");
    }
    let Ok(bytes) = to_bytes(body, LARGEST).await else {
        return plain(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
    };
    // What takes long must not keep others from being answered.
    let work = tokio::task::spawn_blocking(move || shared.session.answer(&question, &bytes));
    match work.await {
        Ok(Ok(value)) => respond(StatusCode::OK, "application/json", value),
        Ok(Err(trouble)) => respond(StatusCode::BAD_REQUEST, "application/json", trouble),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
    }
}

fn plain(code: StatusCode, text: &str) -> Response {
    respond(code, "text/plain; charset=utf-8", text.as_bytes().to_vec())
}

fn respond(code: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = code;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
