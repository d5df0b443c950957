//! Where names are looked up: variables and their parts, and what is known in a process or in a procedure that was called.

use std::collections::HashMap;
use std::rc::Rc;

use super::key;
use crate::ast::{Expression, ExpressionKind, Name, Procedure};

/// What the names of variables mean.
pub(super) type Scope = HashMap<String, Access>;

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The variable and the way through its fields.
    pub path: String,
    pub type_name: Name,
    /// Indices on the way, each from 0, with the length of the array; none if it is known to be inside.
    pub indices: Vec<(Expression, u32)>,
}

impl Access {
    pub fn whole(path: String, type_name: &Name) -> Access {
        Access {
            path,
            type_name: type_name.clone(),
            indices: Vec::new(),
        }
    }

    pub fn into_path(self) -> String {
        self.path
    }

    /// An element of it.
    pub fn element(&self, index: Expression, length: u32, element: &Name) -> Access {
        let mut indices = self.indices.clone();
        indices.push((index, length));
        Access {
            path: self.path.clone(),
            type_name: element.clone(),
            indices,
        }
    }

    /// A part of it that has a name.
    pub fn part(&self, suffix: &str, type_name: &Name) -> Access {
        Access {
            path: format!("{}{suffix}", self.path),
            type_name: type_name.clone(),
            indices: self.indices.clone(),
        }
    }

    /// Is it known before the system runs which part it is?
    pub fn is_fixed(&self) -> bool {
        let mut indices = self.indices.iter();
        indices.all(|(index, _)| matches!(index.kind, ExpressionKind::Number(_)))
    }
}

/// Where actions stand: in a process, or in a procedure that was called.
#[derive(Clone)]
pub(super) struct Context {
    pub scope: Rc<Scope>,
    /// Procedures that are known here and not everywhere, from the outermost on.
    pub levels: Vec<Level>,
    /// What was called to get here.
    pub called: Vec<String>,
    /// What stands before the names of states of a procedure, and around its labels.
    pub prefix: String,
    /// Has the procedure states, so that its labels are not those of one transition?
    pub has_states: bool,
    /// Where a `return` leads to, and where the value goes.
    pub ret: Option<Name>,
    pub result: Option<Access>,
    /// The variables of others that the process sees, with their types.
    pub viewed: Rc<Vec<(Name, Name)>>,
}

/// Procedures that are declared together, and what they see there.
#[derive(Clone)]
pub(super) struct Level {
    pub procedures: Rc<Vec<Procedure>>,
    pub scope: Rc<Scope>,
}

impl Context {
    /// Is there a procedure with a value, near?
    pub fn knows_procedure(&self, name: &Name) -> bool {
        let mut near = self.levels.iter().flat_map(|level| level.procedures.iter());
        near.any(|known| known.returns.is_some() && key(&known.name) == key(name))
    }

    pub fn of_process(scope: Scope, procedures: Vec<Procedure>) -> Context {
        let scope = Rc::new(scope);
        Context {
            scope: scope.clone(),
            levels: vec![Level {
                procedures: Rc::new(procedures),
                scope,
            }],
            called: Vec::new(),
            prefix: String::new(),
            has_states: false,
            ret: None,
            result: None,
            viewed: Rc::default(),
        }
    }

    /// The type of a variable of another process.
    pub fn view_type(&self, name: &Name) -> Option<Name> {
        let mut viewed = self.viewed.iter();
        let found = viewed.find(|(known, _)| key(known) == key(name));
        found.map(|(_, type_)| type_.clone())
    }

    pub fn is_process(&self) -> bool {
        self.called.is_empty()
    }

    pub fn state(&self, name: &Name) -> Name {
        Name {
            text: format!("{}{}", self.prefix, name.text).as_str().into(),
            span: name.span,
        }
    }

    pub fn label(&self, name: &Name) -> Name {
        let text = match (self.is_process(), self.has_states) {
            (true, _) => return name.clone(),
            (false, true) => format!("[{}{}]", self.prefix, name.text),
            (false, false) => format!("<{}{}>", self.prefix, name.text),
        };
        Name {
            text: text.as_str().into(),
            span: name.span,
        }
    }
}
