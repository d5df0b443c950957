//! Small programs from the literature on partial-order reduction.
#![allow(dead_code)]

use std::sync::Arc;

use mazurka_actors::sync::{Mutex, RwLock};
use mazurka_actors::{Semaphore, Variable, thread};

/// Actors that each add to one variable, some times, and use the result.
pub fn adders(actors: usize, times: usize) {
    let x = Arc::new(Variable::new(0));
    for _ in 0..actors {
        let x = x.clone();
        thread::spawn(move || {
            for _ in 0..times {
                x.fetch_add(1);
            }
        });
    }
}

pub fn blind_adders(actors: usize) {
    let x = Arc::new(Variable::new(0));
    for _ in 0..actors {
        let x = x.clone();
        thread::spawn(move || x.add(1));
    }
}

pub fn lost_update(actors: usize) {
    let x = Arc::new(Variable::new(0));
    for _ in 0..actors {
        let x = x.clone();
        thread::spawn(move || x.write(x.read() + 1));
    }
}

/// Actors that give to a semaphore, and as many that take from it and need not wait.
pub fn giving_and_taking(actors: u32) {
    let semaphore = Arc::new(Semaphore::new(actors));
    for _ in 0..actors {
        let (mine, theirs) = (semaphore.clone(), semaphore.clone());
        thread::spawn(move || mine.release());
        thread::spawn(move || theirs.take());
    }
}

pub fn one_writer_three_readers() {
    let x = Arc::new(Variable::new(0));
    for _ in 0..3 {
        let x = x.clone();
        thread::spawn(move || x.read());
    }
    thread::spawn(move || x.write(1));
}

pub fn read_write_lock() {
    let lock = Arc::new(RwLock::new(0));
    for _ in 0..3 {
        let lock = lock.clone();
        thread::spawn(move || drop(lock.read()));
    }
    thread::spawn(move || *lock.write().unwrap() += 1);
}

pub fn dining(philosophers: usize, ordered: bool) {
    let forks: Vec<_> = (0..philosophers)
        .map(|_| Arc::new(Mutex::new(())))
        .collect();
    for seat in 0..philosophers {
        let (mut first, mut second) = (seat, (seat + 1) % philosophers);
        if ordered && first > second {
            (first, second) = (second, first);
        }
        let (first, second) = (forks[first].clone(), forks[second].clone());
        thread::spawn(move || {
            let _first = first.lock().unwrap();
            let _second = second.lock().unwrap();
        });
    }
}

pub fn opposite_locks(noise: usize) {
    let a = Arc::new(Mutex::new(()));
    let b = Arc::new(Mutex::new(()));
    for flip in [false, true] {
        let (first, second) = if flip { (&b, &a) } else { (&a, &b) };
        let (first, second) = (first.clone(), second.clone());
        thread::spawn(move || {
            let _first = first.lock().unwrap();
            let _second = second.lock().unwrap();
        });
    }
    for _ in 0..noise {
        thread::spawn(|| {
            let own = Variable::new(0);
            own.write(1);
            own.read();
        });
    }
}

/// A reader looks for the last zero of an array while writers count up from their neighbours.
pub fn lastzero(writers: usize) {
    let array: Arc<Vec<_>> = Arc::new((0..=writers).map(|_| Variable::new(0)).collect());
    {
        let array = array.clone();
        thread::spawn(move || {
            let mut place = writers;
            while array[place].read() != 0 {
                place -= 1;
            }
        });
    }
    for writer in 1..=writers {
        let array = array.clone();
        thread::spawn(move || {
            let before = array[writer - 1].read();
            array[writer].write(before + 1);
        });
    }
}

/// One actor does a lot on its own between two variables that two others share with it; tells
/// what all of them saw.
pub fn ends_of_a_long_race(
    noise: usize,
    ends: &std::sync::Mutex<std::collections::BTreeSet<[i64; 4]>>,
) {
    let x = Arc::new(Variable::new(0));
    let y = Arc::new(Variable::new(0));
    let first = {
        let (x, y) = (x.clone(), y.clone());
        thread::spawn(move || {
            let own = Variable::new(0);
            let before = x.fetch_add(1);
            for _ in 0..noise {
                own.fetch_add(1);
            }
            [before, y.fetch_add(1)]
        })
    };
    let second = {
        let (x, y) = (x.clone(), y.clone());
        thread::spawn(move || y.fetch_add(2) + 10 * x.fetch_add(2))
    };
    let third = thread::spawn(move || x.fetch_add(4) + 10 * y.fetch_add(4));
    let [a, b] = first.join().unwrap();
    let (c, d) = (second.join().unwrap(), third.join().unwrap());
    ends.lock().unwrap().insert([a, b, c, d]);
}
