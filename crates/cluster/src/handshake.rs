//! Before two members speak: who they are, whether both know the secret, and whether both are about to do the same.
//!
//! Each side sends a greeting with a number that was never used before, and then the sum of both greetings under the secret. A side
//! that does not know the secret cannot make that sum, and one that repeats what it heard elsewhere repeats another greeting. What the
//! greetings say is compared only when both sums are right.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use crate::mac::{SUM, is_same, mac};

/// A greeting begins with this.
const MAGIC: &[u8; 16] = b"mazurka members\n";
/// A greeting is shorter: nobody makes room for more.
const LONGEST: usize = 1 << 16;

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Messages of the search.
    Data,
    /// Signs of life.
    Side,
}

/// What all members must agree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// The version of Mazurka.
    pub version: String,
    /// What tells the model from others.
    pub model: String,
    /// The choices that decide about the search.
    pub options: String,
    /// How many workers each member has.
    pub workers: usize,
}

/// What a side says of itself.
#[derive(Clone, Debug)]
pub(crate) struct Greeting<'a> {
    pub member: usize,
    pub members: usize,
    /// Searches of one check are numbered.
    pub search: u64,
    pub purpose: Purpose,
    pub agreement: &'a Agreement,
}

/// Why two members do not come together.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The connection broke; perhaps another one does not.
    Broken(String),
    /// Whoever is there is not one of the members; perhaps somebody else comes.
    Stranger(String),
    /// They do not want the same.
    Different(String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Broken(error.to_string())
    }
}

/// Greets, on a connection that was made by this side or by the other. Gives the number of the other member and what the connection
/// is for.
pub(crate) fn greet(
    socket: &mut TcpStream,
    own: &Greeting<'_>,
    secret: &[u8],
    is_caller: bool,
) -> Result<(usize, Purpose), Refusal> {
    let mine = written(own);
    send(socket, &mine)?;
    let theirs = receive(socket, LONGEST)?;
    if !theirs.starts_with(MAGIC) {
        return Err(Refusal::Stranger("it is no member".into()));
    }
    // Each side has a word of its own, so that no sum can be sent back.
    let (caller, called) = match is_caller {
        true => (&mine, &theirs),
        false => (&theirs, &mine),
    };
    let sum_of = |side: &[u8]| mac(secret, &[side, caller, called]);
    let (my_side, their_side): (&[u8], &[u8]) = match is_caller {
        true => (b"caller", b"called"),
        false => (b"called", b"caller"),
    };
    send(socket, &sum_of(my_side))?;
    let sum = receive(socket, SUM)?;
    let sum: [u8; SUM] = sum
        .try_into()
        .map_err(|_| Refusal::Stranger("it does not know the secret".into()))?;
    if !is_same(&sum, &sum_of(their_side)) {
        return Err(Refusal::Stranger("it does not know the secret".into()));
    }
    let mut lines = std::str::from_utf8(&theirs[MAGIC.len()..])
        .unwrap_or_default()
        .split('\0');
    let mut next = || lines.next().unwrap_or_default().to_owned();
    let (_nonce, version) = (next(), next());
    let member = next().parse().unwrap_or(usize::MAX);
    let members: usize = next().parse().unwrap_or_default();
    let search: u64 = next().parse().unwrap_or_default();
    let purpose = match next().as_str() {
        "side" => Purpose::Side,
        _ => Purpose::Data,
    };
    let (model, options) = (next(), next());
    let workers: usize = next().parse().unwrap_or_default();
    let known = own.agreement;
    let different = |what: String| Err(Refusal::Different(what));
    let other = member.wrapping_add(1);
    match () {
        _ if version != known.version => different(format!(
            "member {other} is version {version}, this is {}",
            known.version
        )),
        _ if members != own.members => different(format!(
            "member {other} knows of {members} members, this one of {}",
            own.members
        )),
        _ if model != known.model => different(format!(
            "member {other} has another model, or another property"
        )),
        _ if options != known.options => different(format!(
            "member {other} was given other options: {}",
            difference(&options, &known.options)
        )),
        _ if workers != known.workers => different(format!(
            "member {other} has {workers} workers, this one {}: give the same --jobs",
            known.workers
        )),
        _ if search != own.search => {
            different(format!("member {other} is at another search of the check"))
        }
        _ if member >= members || member == own.member => {
            different(format!("two members say that they are member {other}"))
        }
        _ => Ok((member, purpose)),
    }
}

/// The first line in which two texts differ.
fn difference(theirs: &str, ours: &str) -> String {
    let mut pairs = theirs.lines().zip(ours.lines());
    match pairs.find(|(theirs, ours)| theirs != ours) {
        Some((theirs, ours)) => format!("{} there, {} here", theirs.trim(), ours.trim()),
        None => "one has more than the other".into(),
    }
}

fn written(greeting: &Greeting<'_>) -> Vec<u8> {
    let agreement = greeting.agreement;
    let purpose = match greeting.purpose {
        Purpose::Data => "data",
        Purpose::Side => "side",
    };
    let text = [
        &nonce(),
        &agreement.version,
        &greeting.member.to_string(),
        &greeting.members.to_string(),
        &greeting.search.to_string(),
        purpose,
        &agreement.model,
        &agreement.options,
        &agreement.workers.to_string(),
    ]
    .join("\0");
    [MAGIC, text.as_bytes()].concat()
}

/// A text that was never used before, here or elsewhere: hashes under keys that the operating system chose at random, of the time and
/// of how many there were.
fn nonce() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let part = |_| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(COUNT.fetch_add(1, Ordering::Relaxed));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        hasher.write_u128(now.map_or(0, |now| now.as_nanos()));
        format!("{:016x}", hasher.finish())
    };
    (0..4).map(part).collect()
}

fn send(socket: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    let length = (bytes.len() as u32).to_le_bytes();
    socket.write_all(&[&length, bytes].concat())
}

fn receive(socket: &mut TcpStream, longest: usize) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > longest {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it says too much",
        ));
    }
    let mut bytes = vec![0; length];
    socket.read_exact(&mut bytes)?;
    Ok(bytes)
}
