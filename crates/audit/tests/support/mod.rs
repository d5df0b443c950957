//! Models for tests, and a search of them with an audit of every state.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka_audit::{Audited, Auditor, Proviso, Share, Tally, finish};
use mazurka_model::{Interpreter, Program, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_search::store::{Store, Tree};
use mazurka_search::{
    Options, Reduction, StopReason, breadth_first_in, depth_first_in, depth_first_sleeping,
};
use mazurka_span::SourceMap;

/// The program of a Promela model, if it is one.
pub fn program(text: &str) -> Option<Program> {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader);
    compiled.ok().map(|compiled| compiled.program)
}

/// The order of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
    Sleeping,
    TwoWorkers,
}

/// Limits for small models.
pub fn options(interrupt: &AtomicBool) -> Options<'_> {
    Options {
        deadlock: true,
        failures: true,
        proviso: true,
        all: true,
        depth: None,
        memory: 1 << 30,
        deadline: Some(std::time::Instant::now() + std::time::Duration::from_secs(20)),
        alone: 16,
        interrupt,
    }
}

/// Searches and audits. `model` is the program as it was before it was changed.
pub fn audit<R: Reduction<Interpreter> + Send>(
    searched: &Interpreter,
    model: Option<&Program>,
    reduction: impl Fn() -> R,
    order: Order,
) -> Tally {
    audit_in(searched, model, reduction, order, Tree::new())
}

/// The same with a store.
pub fn audit_in<R: Reduction<Interpreter> + Send, S: Store>(
    searched: &Interpreter,
    model: Option<&Program>,
    reduction: impl Fn() -> R,
    order: Order,
    store: S,
) -> Tally {
    let model = model.map(|model| Arc::new(searched.beside(model.clone()).unwrap()));
    let interrupt = AtomicBool::new(false);
    let options = options(&interrupt);
    let workers = if order == Order::TwoWorkers { 2 } else { 1 };
    let worker = |_| {
        let auditor = Auditor::new(Share::ALL, model.clone(), Proviso::Search);
        Audited::<R, Step>::new(reduction(), Some(auditor))
    };
    let mut crew: Vec<_> = (0..workers).map(worker).collect();
    let report = match order {
        Order::DepthFirst | Order::TwoWorkers => {
            depth_first_in(searched, store, &mut crew, &options, &mut ())
        }
        Order::BreadthFirst => breadth_first_in(searched, store, &mut crew, &options, &mut ()),
        Order::Sleeping => depth_first_sleeping(searched, &mut crew[0], &options, &mut ()),
    };
    let is_complete = report.stop == StopReason::Complete;
    finish(searched, &mut crew, is_complete).unwrap()
}
