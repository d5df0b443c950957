// A test as it is written for loom: a channel with room for one message, over plain memory.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::AtomicBool;
use loom::sync::atomic::Ordering::{Acquire, Release};
use loom::thread;

struct Channel {
    is_full: AtomicBool,
    slot: UnsafeCell<Option<u32>>,
}

// SAFETY: who sees the flag set owns the slot.
unsafe impl Sync for Channel {}
// SAFETY: the same.
unsafe impl Send for Channel {}

impl Channel {
    fn send(&self, message: u32) {
        // SAFETY: the flag is not set, and there is one sender.
        self.slot.with_mut(|slot| unsafe { *slot = Some(message) });
        self.is_full.store(true, Release);
    }

    fn receive(&self) -> Option<u32> {
        while !self.is_full.load(Acquire) {
            thread::yield_now();
        }
        // SAFETY: the flag is set, and there is one receiver.
        self.slot.with_mut(|slot| unsafe { (*slot).take() })
    }
}

pub fn a_channel_of_one_slot() {
    loom::model(|| {
        let channel = Arc::new(Channel {
            is_full: AtomicBool::new(false),
            slot: UnsafeCell::new(None),
        });
        let sender = {
            let channel = channel.clone();
            thread::spawn(move || channel.send(7))
        };
        assert_eq!(channel.receive(), Some(7));
        sender.join().unwrap();
    });
}
