//! The connections that timely sends and receives by.
//!
//! Timely panics when a connection breaks. So it never hears of it: a break is noted where workers look, what is still to be written goes
//! nowhere, and who reads waits for ever. The process ends soon after.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::health::Health;

/// A connection that is closed while others go on is explained this soon by the side connection, or not at all.
const EXPLAINED_WITHIN: Duration = Duration::from_secs(5);
/// Timely ends with a header of nothing but zeros.
const LAST_MESSAGE: usize = 6 * size_of::<u64>();
const GLANCE: Duration = Duration::from_millis(20);

/// A connection to another member.
pub(crate) struct Data {
    socket: TcpStream,
    /// Who is at the other end.
    peer: Arc<str>,
    health: Arc<Health>,
    /// How many of the bytes read last were zero.
    zeros: usize,
}

impl Data {
    pub fn new(socket: TcpStream, peer: Arc<str>, health: Arc<Health>) -> Data {
        Data {
            socket,
            peer,
            health,
            zeros: 0,
        }
    }

    /// Notes the end of what was read.
    fn note(&mut self, bytes: &[u8]) {
        let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        self.zeros = match zeros == bytes.len() {
            true => self.zeros + zeros,
            false => zeros,
        };
    }

    /// The connection was closed. That is right only behind timely's last message. Otherwise the side connection knows why, or nobody.
    fn closed(&self) -> usize {
        if self.zeros >= LAST_MESSAGE {
            return 0;
        }
        let since = Instant::now();
        while self.health.check().is_ok() {
            if since.elapsed() > EXPLAINED_WITHIN {
                self.health
                    .lose(format!("{} closed its connection", self.peer));
            }
            std::thread::sleep(GLANCE);
        }
        wait_for_ever()
    }
}

fn wait_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}

impl Read for Data {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.socket.read(bytes) {
                Ok(0) => return Ok(self.closed()),
                Ok(read) => {
                    self.note(&bytes[..read]);
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Ok(self.closed()),
            }
        }
    }
}

impl Write for Data {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.health.check().is_ok()
            && let Err(error) = self.socket.write_all(bytes)
            && !self.health.is_closing()
        {
            let peer = &self.peer;
            self.health
                .suspect(format!("cannot send to {peer}: {error}"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Data {
    fn try_clone(&self) -> io::Result<Data> {
        Ok(Data {
            socket: self.socket.try_clone()?,
            peer: self.peer.clone(),
            health: self.health.clone(),
            zeros: 0,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.socket.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Whoever is gone needs no farewell.
        let _ = self.socket.shutdown(how);
        Ok(())
    }
}
