//! The network: processors, processes, machines, queues, initial global states.

use mazurka_syntax::{Kind, Parse, Parsed};

use crate::ast::{Instance, Network, Process, Processor};

use super::Parser;

impl Parser<'_, '_> {
    /// `network { … }`
    pub(super) fn network(&mut self) -> Parsed<Network> {
        let start = self.span();
        self.expect_word("network")?;
        let mut network = Network {
            span: start,
            queue: None,
            processors: Vec::new(),
            starts: Vec::new(),
        };
        self.block(|parser| parser.network_item(&mut network))?;
        Ok(network)
    }

    fn network_item(&mut self, network: &mut Network) -> Parsed<()> {
        if self.word() == Some("processor") {
            let processor = self.processor()?;
            network.processors.push(processor);
            return Ok(());
        }
        if self.eat_word("queue") {
            network.queue = Some(self.length()?);
        } else if self.eat_word("start") {
            let mut start = Vec::new();
            loop {
                let machine = self.name("a machine")?;
                self.expect_word("in")?;
                start.push((machine, self.name("a state")?));
                if !self.eat(",") {
                    break;
                }
            }
            network.starts.push(start);
        } else {
            return Err(self.unexpected("`processor`, `queue`, `start` or `}`"));
        }
        self.expect(";")
    }

    fn processor(&mut self) -> Parsed<Processor> {
        self.expect_word("processor")?;
        let mut processor = Processor {
            name: self.name("the name of a processor")?,
            processes: Vec::new(),
        };
        self.block(|parser| {
            let process = parser.process()?;
            processor.processes.push(process);
            Ok(())
        })?;
        Ok(processor)
    }

    fn process(&mut self) -> Parsed<Process> {
        self.expect_word("process")?;
        let mut process = Process {
            name: self.name("the name of a process")?,
            high: None,
            low: None,
            machines: Vec::new(),
        };
        self.block(|parser| parser.process_item(&mut process))?;
        Ok(process)
    }

    fn process_item(&mut self, process: &mut Process) -> Parsed<()> {
        if self.peek_after() == Kind::Sign(":") {
            let instance = self.instance()?;
            process.machines.push(instance);
        } else if self.eat_word("high") {
            process.high = Some(self.length()?);
        } else if self.eat_word("low") {
            process.low = Some(self.length()?);
        } else {
            return Err(self.unexpected("`high`, `low`, a machine or `}`"));
        }
        self.expect(";")
    }

    fn instance(&mut self) -> Parsed<Instance> {
        let name = self.name("the name of a machine")?;
        self.expect(":")?;
        let machine_type = self.name("a machine type")?;
        let mut bindings = Vec::new();
        if self.eat("(") {
            loop {
                let role = self.name("a role")?;
                self.expect("=")?;
                bindings.push((role, self.name("a machine")?));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(Instance {
            name,
            machine_type,
            bindings,
        })
    }
}
