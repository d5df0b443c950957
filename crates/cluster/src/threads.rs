//! Workers that are threads of one process.

use std::sync::Mutex;

use mazurka_search::divided::{Archive, Company, Exchange, Lost};
use timely::CommunicationConfig;
use timely::communication::allocator::AllocatorBuilder;

use crate::exchange;
use crate::folder::Folder;
use crate::health::Health;

/// Some threads that search together.
pub struct Threads {
    builders: Mutex<Vec<Option<AllocatorBuilder>>>,
    workers: usize,
    health: Health,
    folder: Option<Folder>,
}

impl Threads {
    /// This many.
    pub fn new(workers: usize) -> Threads {
        let config = match workers {
            0 | 1 => CommunicationConfig::Thread,
            several => CommunicationConfig::Process(several),
        };
        let (builders, _) = config.try_build().expect("threads need no network");
        Threads {
            workers: builders.len(),
            builders: Mutex::new(builders.into_iter().map(Some).collect()),
            health: Health::default(),
            folder: None,
        }
    }

    /// They keep their search there.
    pub fn kept_in(mut self, folder: Folder) -> Threads {
        self.folder = Some(folder);
        self
    }
}

impl Company for Threads {
    fn workers(&self) -> usize {
        self.workers
    }

    fn enter(
        &self,
        worker: usize,
        work: &mut dyn FnMut(&mut dyn Exchange) -> Result<(), Lost>,
    ) -> Result<(), Lost> {
        let mut builders = self
            .builders
            .lock()
            .unwrap_or_else(|lock| lock.into_inner());
        let builder = builders.get_mut(worker).and_then(Option::take);
        drop(builders);
        let builder = builder.ok_or_else(|| Lost("a worker that is none, or is there".into()))?;
        let mut exchange = exchange::Exchange::new(builder, &self.health);
        let result = work(&mut exchange);
        if let Err(lost) = &result {
            self.health.lose(lost.0.clone());
        }
        exchange.close()?;
        result
    }

    fn archive(&self) -> Option<&dyn Archive> {
        self.folder.as_ref().map(|folder| folder as &dyn Archive)
    }
}
