//! The mirrors of `std` do what their namesakes do.

use std::collections::BTreeSet;
use std::sync::Mutex as Collected;

use mazurka_actors::sync::atomic::{AtomicBool, Ordering};
use mazurka_actors::sync::{Arc, Once, OnceLock, mpsc};
use mazurka_actors::{Explorer, StopReason, ViolationKind, thread};

/// The same operations on a mirror and on its namesake, at random, give the same.
macro_rules! compare_atomics {
    ($($test:ident $name:ident $type:ident;)*) => {$(
        #[test]
        fn $test() {
            Explorer::new().check(|| {
                let mut state = 7u64;
                let mut random = || {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 33) as $type
                };
                let mine = mazurka_actors::sync::atomic::$name::new($type::MAX);
                let real = std::sync::atomic::$name::new($type::MAX);
                let o = Ordering::SeqCst;
                for _ in 0..200 {
                    let (kind, value, other) = (random() as u8 % 11, random(), random());
                    let (a, b) = match kind {
                        0 => (mine.fetch_add(value, o), real.fetch_add(value, o)),
                        1 => (mine.fetch_sub(value, o), real.fetch_sub(value, o)),
                        2 => (mine.fetch_and(value, o), real.fetch_and(value, o)),
                        3 => (mine.fetch_or(value, o), real.fetch_or(value, o)),
                        4 => (mine.fetch_xor(value, o), real.fetch_xor(value, o)),
                        5 => (mine.fetch_max(value, o), real.fetch_max(value, o)),
                        6 => (mine.fetch_min(value, o), real.fetch_min(value, o)),
                        7 => (mine.swap(value, o), real.swap(value, o)),
                        8 => {
                            mine.store(value, o);
                            real.store(value, o);
                            (0, 0)
                        }
                        9 => {
                            let old = real.load(o);
                            let (a, b) = (
                                mine.compare_exchange(old, other, o, o),
                                real.compare_exchange(old, other, o, o),
                            );
                            assert_eq!(a, b);
                            (0, 0)
                        }
                        _ => {
                            let (a, b) = (
                                mine.compare_exchange(value, other, o, o),
                                real.compare_exchange(value, other, o, o),
                            );
                            assert_eq!(a, b);
                            (0, 0)
                        }
                    };
                    assert_eq!(a, b, "{kind} {value}");
                    assert_eq!(mine.load(o), real.load(o), "{kind} {value}");
                }
                assert_eq!(mine.into_inner(), real.into_inner());
            });
        }
    )*};
}

compare_atomics! {
    bytes AtomicU8 u8;
    signed_bytes AtomicI8 i8;
    shorts AtomicU16 u16;
    signed_shorts AtomicI16 i16;
    numbers AtomicU32 u32;
    signed_numbers AtomicI32 i32;
    words AtomicU64 u64;
    signed_words AtomicI64 i64;
    sizes AtomicUsize usize;
    signed_sizes AtomicIsize isize;
}

#[test]
fn truths() {
    Explorer::new().check(|| {
        let flag = AtomicBool::default();
        assert!(!flag.fetch_or(true, Ordering::SeqCst));
        assert!(flag.fetch_xor(true, Ordering::SeqCst));
        assert!(!flag.fetch_and(true, Ordering::SeqCst));
        assert_eq!(
            flag.compare_exchange(false, true, Ordering::SeqCst, Ordering::SeqCst),
            Ok(false)
        );
        assert!(flag.into_inner());
    });
}

/// Over a channel of bound zero, nothing that the sender does after a send comes before the receive.
#[test]
fn sender_and_receiver_meet() {
    let explorer = Explorer::new();
    explorer.check(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let received = Arc::new(AtomicBool::new(false));
        let told = received.clone();
        let other = thread::spawn(move || {
            let first = receiver.recv();
            told.store(true, Ordering::SeqCst);
            (first, receiver.recv())
        });
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        // The second message was received after the first was told of.
        assert!(received.load(Ordering::SeqCst));
        assert_eq!(other.join().unwrap(), (Ok(1), Ok(2)));
    });
    // With room for one it may still lie there.
    let report = explorer.run(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let received = Arc::new(AtomicBool::new(false));
        let told = received.clone();
        thread::spawn(move || {
            receiver.recv().unwrap();
            told.store(true, Ordering::SeqCst);
            receiver.recv().unwrap();
        });
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        assert!(received.load(Ordering::SeqCst));
    });
    assert_eq!(report.violations[0].kind(), ViolationKind::Assertion);
}

#[test]
fn a_sender_that_nobody_meets() {
    let seen = Collected::new(BTreeSet::new());
    let report = Explorer::new().all().run(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let other = thread::spawn(move || receiver.try_recv().ok());
        let sent = sender.send(5);
        let received = other.join().unwrap();
        assert_eq!(sent.is_ok(), received.is_some());
        assert!(sent.is_ok() || sent == Err(mpsc::SendError(5)));
        seen.lock().unwrap().insert(received);
    });
    assert_eq!(report.stop, StopReason::Complete);
    assert!(report.violations.is_empty(), "{report}");
    assert_eq!(seen.into_inner().unwrap(), [None, Some(5)].into());
}

/// Over a channel of bound zero, a try succeeds only if the receiver waits, which it may or may not
/// do yet.
#[test]
fn a_sender_that_tries_to_meet() {
    let seen = Collected::new(BTreeSet::new());
    let ends = |receive: fn(mpsc::Receiver<i32>) -> Option<i32>| {
        seen.lock().unwrap().clear();
        let report = Explorer::new().all().run(|| {
            let (sender, receiver) = mpsc::sync_channel(0);
            let other = thread::spawn(move || receive(receiver));
            let tried = sender.try_send(5);
            drop(sender);
            let received = other.join().unwrap();
            assert_eq!(tried.is_ok(), received.is_some());
            let tried = match tried {
                Ok(()) => "met",
                Err(mpsc::TrySendError::Full(5)) => "full",
                Err(mpsc::TrySendError::Disconnected(5)) => "gone",
                Err(_) => "another message",
            };
            seen.lock().unwrap().insert(tried);
        });
        assert_eq!(report.stop, StopReason::Complete);
        assert!(report.violations.is_empty(), "{report}");
        seen.lock().unwrap().clone()
    };
    // A receiver waits until it is met, or there is no sender.
    let waiting = ends(|receiver| receiver.recv().ok());
    assert_eq!(waiting, ["full", "met"].into());
    let for_a_while = ends(|receiver| {
        let limit = std::time::Duration::from_secs(1);
        receiver.recv_timeout(limit).ok()
    });
    assert_eq!(for_a_while, ["full", "gone", "met"].into());
    let not_at_all = ends(|receiver| receiver.try_recv().ok());
    assert_eq!(not_at_all, ["full", "gone"].into());
}

/// Of a sender that waits and two that try, each message that is sent is received once.
#[test]
fn several_senders_and_one_meeting() {
    let seen = Collected::new(BTreeSet::new());
    let report = Explorer::new().all().run(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let tries: Vec<_> = (1..3)
            .map(|message| {
                let sender = sender.clone();
                thread::spawn(move || sender.try_send(message).ok().map(|()| message))
            })
            .collect();
        let waits = thread::spawn(move || sender.send(0).ok().map(|()| 0));
        let first = receiver.recv().unwrap();
        drop(receiver);
        let mut sent = vec![waits.join().unwrap()];
        sent.extend(tries.into_iter().map(|other| other.join().unwrap()));
        let sent: Vec<i32> = sent.into_iter().flatten().collect();
        assert_eq!(sent, [first]);
        seen.lock().unwrap().insert(first);
    });
    assert_eq!(report.stop, StopReason::Complete);
    assert!(report.violations.is_empty(), "{report}");
    assert_eq!(seen.into_inner().unwrap(), [0, 1, 2].into());
}

#[test]
fn scoped_actors_borrow() {
    Explorer::new().check(|| {
        let mut numbers = vec![1, 2, 3];
        let sum = mazurka_actors::Variable::new(0);
        let last = thread::scope(|scope| {
            scope.spawn(|| sum.add(numbers[0]));
            scope.spawn(|| {
                let inner = scope.spawn(|| sum.add(numbers[1]));
                inner.join().unwrap();
            });
            scope.spawn(|| numbers[2]).join().unwrap()
        });
        numbers.push(last);
        assert_eq!((sum.read(), numbers.len()), (3, 4));
    });
}

/// Where an execution ends early, who borrows is gone before what it borrows.
#[test]
fn scoped_actors_of_executions_that_end_early() {
    struct Owner(Vec<i64>);
    struct Borrower<'o>(&'o Owner, &'o Collected<Vec<i64>>);
    impl Drop for Owner {
        fn drop(&mut self) {
            self.0.fill(-1);
        }
    }
    impl Drop for Borrower<'_> {
        fn drop(&mut self) {
            self.1.lock().unwrap().push(self.0.0[0]);
        }
    }
    let seen = Collected::new(vec![]);
    let report = Explorer::new().all().run(|| {
        let owner = Owner(vec![5]);
        let (first, second) = (
            mazurka_actors::sync::Mutex::new(()),
            mazurka_actors::sync::Mutex::new(()),
        );
        thread::scope(|scope| {
            scope.spawn(|| {
                let _borrower = Borrower(&owner, &seen);
                let _first = first.lock();
                let _second = second.lock();
            });
            scope.spawn(|| {
                let _borrower = Borrower(&owner, &seen);
                let _second = second.lock();
                let _first = first.lock();
                assert!(mazurka_actors::toss(2) == 0, "one of two");
            });
            assert!(mazurka_actors::toss(2) == 0, "the owner itself");
        });
    });
    assert_eq!(report.stop, StopReason::Complete);
    let kinds: BTreeSet<_> = (report.violations.iter())
        .map(|violation| violation.kind().name())
        .collect();
    assert_eq!(kinds, ["assertion", "deadlock"].into());
    let seen = seen.into_inner().unwrap();
    assert!(!seen.is_empty() && seen.iter().all(|&value| value == 5));
}

#[test]
fn once() {
    let order = Collected::new(BTreeSet::new());
    Explorer::new().check(|| {
        let once = Arc::new((Once::new(), mazurka_actors::Variable::new(0)));
        let other = {
            let once = once.clone();
            thread::spawn(move || once.0.call_once(|| once.1.add(10)))
        };
        once.0.call_once(|| once.1.add(1));
        // Whoever called it, it has been called.
        let value = once.1.read();
        assert!(value == 1 || value == 10);
        other.join().unwrap();
        assert_eq!(once.1.read(), value);
        order.lock().unwrap().insert(value);
    });
    assert_eq!(order.into_inner().unwrap(), [1, 10].into());
}

#[test]
fn once_lock() {
    Explorer::new().check(|| {
        let cell = Arc::new(OnceLock::new());
        let other = {
            let cell = cell.clone();
            thread::Builder::new()
                .name("other".into())
                .spawn(move || *cell.get_or_init(|| 2))
                .unwrap()
        };
        let set = cell.set(1);
        let value = *cell.get().unwrap();
        assert_eq!(value, if set.is_ok() { 1 } else { 2 });
        assert_eq!(other.join().unwrap(), value);
    });
}
