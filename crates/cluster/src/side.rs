//! Signs of life, on a connection of their own: the other one may be full of states.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::health::Health;

/// A sign of life is sent this often.
const BETWEEN_SIGNS: Duration = Duration::from_millis(500);
/// A member that has given none for so long is taken for lost.
pub(crate) const LONGEST_SILENCE: Duration = Duration::from_secs(15);
const GLANCE: Duration = Duration::from_millis(50);
/// Nobody explains at greater length why it gives up.
const LONGEST_REASON: usize = 1 << 12;

const ALIVE: u8 = b'.';
const FAREWELL: u8 = b'F';
/// It gives up; the reason follows, up to the end of the connection.
const GIVES_UP: u8 = b'L';

/// Two threads that speak with one other member.
pub(crate) struct Side {
    socket: TcpStream,
    is_over: Arc<AtomicBool>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Side {
    pub fn new(socket: TcpStream, peer: Arc<str>, health: Arc<Health>) -> io::Result<Side> {
        socket.set_read_timeout(Some(GLANCE))?;
        socket.set_write_timeout(Some(LONGEST_SILENCE))?;
        let is_over = Arc::new(AtomicBool::new(false));
        let listens = {
            let (socket, is_over) = (socket.try_clone()?, is_over.clone());
            move || listen(socket, &peer, &health, &is_over)
        };
        let speaks = {
            let (socket, is_over) = (socket.try_clone()?, is_over.clone());
            move || speak(socket, &is_over)
        };
        let threads = vec![std::thread::spawn(listens), std::thread::spawn(speaks)];
        Ok(Side {
            socket,
            is_over,
            threads,
        })
    }

    /// Says farewell, or why this member gives up.
    pub fn end(mut self, reason: Option<&str>) {
        let word = match reason {
            None => vec![FAREWELL],
            Some(reason) => [&[GIVES_UP], reason.as_bytes()].concat(),
        };
        self.is_over.store(true, Ordering::Release);
        // Who does not hear it notices that the connection is closed.
        let _ = self.socket.write_all(&word);
        let _ = self.socket.shutdown(std::net::Shutdown::Write);
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

fn speak(mut socket: TcpStream, is_over: &AtomicBool) {
    let mut last = Instant::now();
    while !is_over.load(Ordering::Acquire) {
        if last.elapsed() >= BETWEEN_SIGNS {
            last = Instant::now();
            // That the other one is gone is noticed by who listens.
            if socket.write_all(&[ALIVE]).is_err() {
                return;
            }
        }
        std::thread::sleep(GLANCE);
    }
}

fn listen(mut socket: TcpStream, peer: &str, health: &Health, is_over: &AtomicBool) {
    let mut heard = Instant::now();
    let mut bytes = [0; 64];
    loop {
        let read = match socket.read(&mut bytes) {
            Ok(read) => read,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut
                | io::ErrorKind::Interrupted => {
                    if is_over.load(Ordering::Acquire) {
                        return;
                    }
                    if heard.elapsed() > LONGEST_SILENCE {
                        let seconds = LONGEST_SILENCE.as_secs();
                        return health
                            .lose(format!("{peer} has given no sign of life for {seconds} s"));
                    }
                    continue;
                }
                _ => 0,
            },
        };
        heard = Instant::now();
        match bytes[..read].iter().position(|byte| *byte != ALIVE) {
            Some(at) if bytes[at] == GIVES_UP => {
                let mut reason = bytes[at + 1..read].to_vec();
                let _ = socket.set_read_timeout(Some(Duration::from_secs(1)));
                let _ = socket.take(LONGEST_REASON as u64).read_to_end(&mut reason);
                return health.lose(String::from_utf8_lossy(&reason));
            }
            Some(_) => return,
            None if read == 0 => {
                if !is_over.load(Ordering::Acquire) {
                    health.lose(format!("{peer} is gone"));
                }
                return;
            }
            None => {}
        }
    }
}
