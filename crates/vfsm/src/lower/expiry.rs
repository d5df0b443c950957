//! Timers: a bit each, a process that can expire, and bits for those that wait for each other.

use mazurka_model::{
    Enumeration, Expression, Instruction, Kind, Location, LocationId, Meaning, PlaceId,
    ProcessType, ProcessTypeId, Statement,
};
use mazurka_span::counted;

use super::Lowering;
use crate::durations::TimerOf;

impl Lowering<'_> {
    /// A bit for each timer.
    pub(super) fn running_timers(&mut self) {
        let enumeration = self.builder.program.enumerations.len() as u32;
        let constants = vec![("stopped".to_string(), 0), ("running".to_string(), 1)];
        self.builder.program.enumerations.push(Enumeration {
            name: "timer".into(),
            constants,
        });
        for machine in 0..self.network.machines.len() {
            let places = self.network.type_of(machine).timers.iter().map(|timer| {
                let name = format!("{}.{}", self.network.machines[machine].name, timer.name);
                self.builder
                    .shared(name, Kind::Bit, Meaning::Enumeration(enumeration))
            });
            let places = places.collect();
            self.timers.push(places);
        }
        let orders = self.network.orders();
        if orders.is_empty() {
            return;
        }
        let enumeration = self.builder.program.enumerations.len() as u32;
        self.builder.program.enumerations.push(Enumeration {
            name: "order".into(),
            constants: vec![("no".to_string(), 0), ("yes".to_string(), 1)],
        });
        for order in orders {
            let name = self.network.order_name(order);
            let meaning = Meaning::Enumeration(enumeration);
            let place = self.builder.shared(name, Kind::Bit, meaning);
            self.orders.push((order, place));
        }
    }

    fn running(&self, (machine, timer): TimerOf) -> PlaceId {
        self.timers[machine][timer]
    }

    /// The timer runs from now on, or goes on. If it did not run, it waits for those that run and take no longer.
    pub(super) fn start_timer(&mut self, timer: TimerOf) {
        let place = self.running(timer);
        for (order, waits) in self.orders.clone() {
            if order.second == timer {
                let other = self.running(order.first);
                let [runs, other, waits_already] =
                    [place, other, waits].map(|place| self.builder.load(place));
                let is_new = self.builder.not(runs);
                let is_behind = self.builder.expression(Expression::And(is_new, other));
                let value = Expression::Or(waits_already, is_behind);
                let value = self.builder.expression(value);
                self.builder.emit(Instruction::Assign(waits, value));
            }
        }
        let one = self.builder.constant(1);
        self.builder.emit(Instruction::Assign(place, one));
    }

    /// The timer does not run any more, waits for nobody, and nobody waits for it.
    pub(super) fn stop_timer(&mut self, timer: TimerOf) {
        let zero = self.builder.constant(0);
        let place = self.running(timer);
        self.builder.emit(Instruction::Assign(place, zero));
        for (order, waits) in self.orders.clone() {
            if order.first == timer || order.second == timer {
                self.builder.emit(Instruction::Assign(waits, zero));
            }
        }
    }

    /// A timer: a process that may expire while it runs.
    pub(super) fn timer(&mut self, machine: usize, timer: usize) {
        let described = &self.network.type_of(machine).timers[timer];
        let name = format!("{}.{}", self.network.machines[machine].name, described.name);
        let process_type = ProcessTypeId(self.builder.program.process_types.len() as u32);
        let code = self.builder.here();
        self.stop_timer((machine, timer));
        let process = &self.network.processes[self.network.machines[machine].process].name;
        let event = &self.network.type_of(machine).events[described.event].name;
        self.send(
            machine,
            described.event,
            false,
            described.span,
            |_, _, capacity| {
                let room = counted(capacity.into(), "message");
                format!(
                    "timer {name} expires, but the low queue of process {process} is full \
                     ({room}): no room for {event}"
                )
            },
        );
        self.builder.end_effect();
        let effect = code..self.builder.here();
        let mut conditions = vec![self.builder.load(self.running((machine, timer)))];
        for (order, waits) in self.orders.clone() {
            if order.second == (machine, timer) {
                let waits = self.builder.load(waits);
                conditions.push(self.builder.not(waits));
            }
        }
        let guard = self.builder.all(conditions);
        let guard = guard.expect("a timer expires only if it runs");
        let origin = self.words.origin(described.span);
        let statement = self.builder.statement(Statement {
            text: format!("expires and raises {event}"),
            origin,
            process_type,
            reported: true,
        });
        let location = self.builder.next_location();
        let transitions = self.builder.program.transitions.len() as u32;
        self.builder
            .transition(guard, effect, LocationId(location), statement);
        self.coverage.timer(&self.words, machine, timer);
        self.weights.push(self.network.weight(described.start));
        self.choices.push(Vec::new());
        self.builder.program.locations.push(Location {
            number: 0,
            transitions: transitions..transitions + 1,
            end: true,
            accept: false,
            progress: false,
            labels: vec!["timer".into()],
            marks: 0,
            origin,
        });
        let empty = self.builder.here();
        self.builder.process_type(ProcessType {
            locations: location..location + 1,
            frame_bytes: 1,
            start: empty..empty,
            machine: true,
            ..ProcessType::new(name, LocationId(location))
        });
    }
}
