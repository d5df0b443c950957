//! Timers with durations: which of two that run is never up before the other.
//!
//! There is no clock. What is known of time is this alone: if a timer is started while another runs that takes no longer, the
//! other is due no later, wherever in the network the two are. So it expires first, unless it is stopped. A timer that is
//! started while it runs keeps running, and keeps its place.
//!
//! That leaves out nothing that a clock allows, and allows more: how often a short timer can be up while a long one runs is not counted.

use crate::network::Network;

/// A timer: the number of its machine, and its own in the type.
pub type TimerOf = (usize, usize);

/// Two timers; if the second is started while the first runs, it waits for the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// The timer that is waited for.
    pub first: TimerOf,
    /// The timer that waits.
    pub second: TimerOf,
}

impl Network {
    /// All pairs of timers of which the first takes no longer than the second.
    pub fn orders(&self) -> Vec<Order> {
        let mut lasting = Vec::new();
        for machine in 0..self.machines.len() {
            let timers = self.type_of(machine).timers.iter().enumerate();
            let durations = timers.filter_map(|(number, timer)| Some((number, timer.duration?)));
            lasting.extend(durations.map(|(number, duration)| ((machine, number), duration)));
        }
        let mut orders = Vec::new();
        for (first, shorter) in &lasting {
            for (second, longer) in &lasting {
                if first != second && shorter <= longer {
                    orders.push(Order {
                        first: *first,
                        second: *second,
                    });
                }
            }
        }
        orders
    }

    /// What tells in a state whether the second waits for the first.
    pub fn order_name(&self, order: Order) -> String {
        let name = |(machine, timer): TimerOf| {
            let described = &self.type_of(machine).timers[timer];
            format!("{}.{}", self.machines[machine].name, described.name)
        };
        format!("{} waits for {}", name(order.second), name(order.first))
    }
}
