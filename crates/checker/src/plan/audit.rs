//! What of a search is audited.

use std::sync::Arc;

use mazurka_audit::{Auditor, Proviso, Share};
use mazurka_model::Interpreter;

use crate::choice::Order;
use crate::config::Config;
use crate::store::Store;

/// What of a search is audited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AuditPlan {
    /// Nothing was to be.
    Off,
    /// The states of the search are not; the program that is searched is compared with the model by walks from the start.
    Walks(&'static str),
    /// A share of the states of the search.
    States(Share),
}

const SPREAD: &str = "the states of the search are spread over the members of a cluster";

impl AuditPlan {
    /// Of a search for violations of safety.
    pub(super) fn of_safety(config: &Config) -> AuditPlan {
        let Some(share) = config.audit else {
            return AuditPlan::Off;
        };
        let is_walk = match config.search {
            Order::Random | Order::Biased | Order::Scatter => config.store() == Store::None,
            Order::Probabilistic => true,
            Order::DepthFirst
            | Order::BreadthFirst
            | Order::Stack
            | Order::Guided
            | Order::Swarm => false,
        };
        match config.search {
            _ if config.cluster => AuditPlan::Walks(SPREAD),
            _ if is_walk => AuditPlan::Walks("a walk relies on nothing but the interpreter"),
            Order::Guided => AuditPlan::Walks("a guided search takes every step"),
            Order::Swarm => AuditPlan::Walks("the members of a swarm take every step"),
            _ if config.deepen.is_some() => AuditPlan::Walks("deepening takes every step"),
            _ => AuditPlan::States(share),
        }
    }

    /// Of a search for what a claim accepts.
    pub(super) fn of_claim(config: &Config) -> AuditPlan {
        match config.audit {
            Some(_) if config.cluster => AuditPlan::Walks(SPREAD),
            audit => audit.map_or(AuditPlan::Off, AuditPlan::States),
        }
    }

    /// Why the states of the search are not audited.
    pub(crate) fn unaudited(self) -> Option<&'static str> {
        match self {
            AuditPlan::Off => Some("the audit is off"),
            AuditPlan::Walks(reason) => Some(reason),
            AuditPlan::States(_) => None,
        }
    }

    /// Who audits the states of one worker. `model` is what was to be searched, if that is not what is; `long_queues` says that the reduction
    /// takes queues to be long enough.
    pub(crate) fn auditor<S: Copy>(
        self,
        model: Option<&Arc<Interpreter>>,
        proviso: Proviso,
        long_queues: bool,
    ) -> Option<Auditor<S>> {
        match self {
            AuditPlan::States(share) => {
                let auditor = Auditor::new(share, model.cloned(), proviso);
                Some(match long_queues {
                    true => auditor.with_long_queues(),
                    false => auditor,
                })
            }
            AuditPlan::Off | AuditPlan::Walks(_) => None,
        }
    }
}
