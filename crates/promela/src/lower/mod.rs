//! From the syntax tree to the common program form.
//!
//! Declarations give names their meaning ([`declare`]), expressions and messages become nodes of the program
//! ([`expression`], [`message`]), statements become a graph ([`statement`], [`action`], [`graph`]), and the graph becomes locations
//! and transitions ([`emit`], with [`step`] for what happens inside a `d_step`).

mod action;
mod annotated;
mod claim;
mod constant;
mod declare;
mod emit;
mod expression;
mod format;
mod graph;
mod hidden;
mod message;
mod objects;
pub mod problem;
mod process;
mod statement;
mod step;
mod survey;
mod symbols;
mod trace;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_model::{
    ChannelType, ChannelTypeId, Claim, Enumeration, Expression, ExpressionId, Features,
    Instruction, Origin, PlaceId, ProcessTypeId, Program, StatementId,
};
use mazurka_span::{Code, Diagnostic, ExpansionKind, SourceMap, Span, has_errors};

use crate::Property;
use crate::ast::{Expr, Model, Name, Proctype, Unit};
use mazurka_span::nearest;
use symbols::{Scopes, Structure, Symbol};

/// Makes a program of a model. There is one exactly if no diagnostic is an error.
pub(crate) fn lower(
    map: &SourceMap,
    model: &Model,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    let mut lowerer = Lowerer::new(map, diagnostics);
    lowerer.program.name = map
        .files()
        .first()
        .map(|file| file.name().to_owned())
        .unwrap_or_default();
    lowerer.program.files = map
        .files()
        .iter()
        .map(|file| file.name().to_owned())
        .collect();
    lowerer.model(model);
    let (formulas, claims) = lowerer.watchers(model);
    // What is asked for besides must not change what a state is.
    let reads_hidden = hidden::is_read(&lowerer.program);
    let expression = lowerer.asked_for(model);
    lowerer.settle_label_references();
    let (mut program, mut names) = (lowerer.program, lowerer.names);
    if reads_hidden {
        hidden::show(&mut program, &mut names.globals);
    }
    (!has_errors(diagnostics)).then_some(Lowered {
        program,
        formulas,
        claims,
        expression,
        names,
    })
}

/// The program of a model together with an expression that knows its names. None if the expression is wrong, or asks for what the
/// program has not kept: it has to be read together with the model then.
pub(crate) fn lower_expression(
    map: &SourceMap,
    names: &Names,
    program: &Program,
    expr: &Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, ExpressionId)> {
    if survey::features_with(program.features, expr) != program.features
        || !names.keep_labels_of(expr)
    {
        return None;
    }
    let mut lowerer = Lowerer::new(map, diagnostics);
    lowerer.program = program.clone();
    lowerer.names = names.clone();
    let expression = lowerer.expression(expr);
    lowerer.settle_label_references();
    let program = lowerer.program;
    diagnostics.is_empty().then_some((program, expression))
}

/// A model in the common form.
pub(crate) struct Lowered {
    pub program: Program,
    pub formulas: Vec<Property>,
    pub claims: Vec<Claim>,
    /// What was asked for besides.
    pub expression: Option<ExpressionId>,
    /// What names mean.
    pub names: Names,
}

/// What the names of a model mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    structures: Vec<Structure>,
    structure_names: HashMap<Arc<str>, usize>,
    /// The `mtype` constants: value and enumeration.
    constants: HashMap<Arc<str>, (i32, u32)>,
    globals: Scopes,
    processes: Vec<Process>,
    process_names: HashMap<Arc<str>, ProcessTypeId>,
}

impl Names {
    /// Can every label that an expression refers to be told from other places?
    fn keep_labels_of(&self, expr: &Expr) -> bool {
        process::labels_of(expr).iter().all(|(proctype, label)| {
            let process = self.process_names.get(proctype);
            process.is_some_and(|id| self.processes[id.index()].referred_labels.contains(label))
        })
    }
}

/// Nearest names are looked for in this many diagnostics.
const MOST_HINTS: usize = 20;

struct Lowerer<'a> {
    map: &'a SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
    program: Program,
    names: Names,
    /// Variables whose declaration is wrong. That they are used is no further error.
    refused: HashSet<Arc<str>>,
    /// The process whose text is being read.
    current: Option<ProcessTypeId>,
    channel_types: Vec<ChannelType>,
    small_constants: HashMap<i32, ExpressionId>,
    /// `p@label` expressions, whose place is known only when all processes are.
    label_references: Vec<LabelReference>,
    /// Where each statement of the program stands.
    statement_spans: Vec<Span>,
    /// Where `enabled()` is used.
    enabled_at: Option<Span>,
    /// Is a trace assertion being read? Then a send says what is sent and sends nothing.
    in_trace: bool,
    /// The channels about which an annotation says something.
    annotated: Vec<annotated::Annotated>,
}

/// What is known of a process type while models are read.
#[derive(Clone, Debug, Default)]
struct Process {
    scopes: Scopes,
    /// The variables of the outermost scope, for references from other processes.
    visible: HashMap<Arc<str>, Symbol>,
    frame_bytes: u32,
    parameter_count: usize,
    /// Labels that other processes refer to.
    referred_labels: Vec<Arc<str>>,
    /// The numbers of labelled places.
    label_numbers: HashMap<Arc<str>, u32>,
}

struct LabelReference {
    expression: ExpressionId,
    process_type: ProcessTypeId,
    label: Arc<str>,
    span: Span,
}

impl<'a> Lowerer<'a> {
    fn new(map: &'a SourceMap, diagnostics: &'a mut Vec<Diagnostic>) -> Lowerer<'a> {
        Lowerer {
            map,
            diagnostics,
            program: Program::default(),
            names: Names::default(),
            refused: HashSet::new(),
            current: None,
            channel_types: Vec::new(),
            small_constants: HashMap::new(),
            label_references: Vec::new(),
            statement_spans: Vec::new(),
            enabled_at: None,
            in_trace: false,
            annotated: Vec::new(),
        }
    }
}

impl Lowerer<'_> {
    fn model(&mut self, model: &Model) {
        objects::check(model, self.diagnostics);
        self.program.features = survey::features(model);
        self.program.enumerations.push(Enumeration {
            name: "mtype".into(),
            constants: Vec::new(),
        });
        self.names.globals.enter();
        self.register_processes(model);
        let mut start = Vec::new();
        for unit in &model.units {
            match unit {
                Unit::Mtype(declaration) => self.mtype(declaration),
                Unit::Typedef(definition) => self.typedef(definition),
                Unit::Declaration(declaration) => self.declare_shared(declaration, &mut start),
                _ => {}
            }
        }
        self.start_processes(model, &mut start);
        self.program.start = self.emit_code(start);
        self.processes(model);
        self.program.channel_types = std::mem::take(&mut self.channel_types);
        self.program.features.rendezvous = self
            .program
            .channel_types
            .iter()
            .any(|channel| channel.capacity == 0);
        self.settle_label_references();
        if let (Some(span), true) = (self.enabled_at, self.program.features.rendezvous) {
            let message = "`enabled` cannot be used in a model with rendezvous channels";
            self.error(problem::ENABLED_WITH_RENDEZVOUS, span, message);
        }
        if self.program.process_types.is_empty() {
            let span = model.units.first().map_or(Span::default(), Unit::span);
            let message = "the model has no process that could run";
            let hint = "write `init { … }` or `active proctype NAME() { … }`";
            let diagnostic = Diagnostic::error(problem::NO_PROCESS, span, message).hint(hint);
            self.diagnostics.push(diagnostic);
        }
    }

    /// The formulas and never claims, named as SPIN names them; a trace assertion becomes part
    /// of the program.
    fn watchers(&mut self, model: &Model) -> (Vec<Property>, Vec<Claim>) {
        let (mut formulas, mut claims) = (Vec::new(), Vec::new());
        let mut unnamed = 0;
        let mut names = HashMap::new();
        for unit in &model.units {
            match unit {
                Unit::Ltl(ltl) => {
                    let name = match &ltl.name {
                        // The name of a formula that is given besides is not the user's choice.
                        Some(name) if ltl.is_given => free_name(&name.text, &names),
                        Some(name) => name.text.to_string(),
                        None => format!("ltl_{unnamed}"),
                    };
                    unnamed += usize::from(ltl.name.is_none());
                    self.watcher_once(&mut names, &name, ltl.name.as_ref(), ltl.span);
                    formulas.push(self.formula(ltl, name));
                }
                Unit::Never(never) => {
                    let name = match &never.name {
                        Some(name) => name.text.to_string(),
                        None => format!("never_{}", claims.len()),
                    };
                    self.watcher_once(&mut names, &name, never.name.as_ref(), never.span);
                    claims.extend(self.never(never, name));
                }
                Unit::Trace(trace) => {
                    if !self.annotated.is_empty() {
                        let message = "a trace assertion in a model in which channels lose or change what is sent";
                        self.error(problem::BAD_TRACE, trace.span, message);
                    }
                    self.trace(trace);
                }
                _ => {}
            }
        }
        (formulas, claims)
    }

    /// Verdicts and scenarios name the formula or claim that they are about, so no two have the same name.
    fn watcher_once(
        &mut self,
        names: &mut HashMap<String, Span>,
        name: &str,
        written: Option<&Name>,
        whole: Span,
    ) {
        let span = written.map_or(whole, |name| name.span);
        if let Some(before) = names.insert(name.to_string(), span) {
            let message = format!("there are two formulas or claims `{name}`");
            let diagnostic = Diagnostic::error(problem::REDECLARED, span, message)
                .also(before, "declared here before")
                .hint("verdicts are given by name: give each of them its own");
            self.diagnostics.push(diagnostic);
        }
    }

    /// The expression that somebody outside asks for.
    fn asked_for(&mut self, model: &Model) -> Option<ExpressionId> {
        let mut units = model.units.iter();
        units.find_map(|unit| match unit {
            Unit::Expression(expr) => Some(self.expression(expr)),
            _ => None,
        })
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    fn warn(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::warning(code, span, message));
    }

    /// An error about an unknown name, with the nearest known one as a hint.
    fn unknown<'n>(
        &mut self,
        code: Code,
        span: Span,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) {
        if self.refused.contains(name) {
            return;
        }
        self.unknown_in_words(
            code,
            span,
            format!("there is no {what} `{name}`"),
            name,
            known,
        );
    }

    /// The same in words of one's own.
    fn unknown_in_words<'n>(
        &mut self,
        code: Code,
        span: Span,
        message: String,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) {
        let mut diagnostic = Diagnostic::error(code, span, message);
        // Whoever has this many errors does not read the hints, and each takes a while to find.
        if self.diagnostics.len() < MOST_HINTS
            && let Some(near) = nearest(name, known)
        {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    fn features(&self) -> Features {
        self.program.features
    }

    fn expression_node(&mut self, expression: Expression) -> ExpressionId {
        if let Expression::Constant(value) = expression {
            return self.constant(value);
        }
        self.push_expression(expression)
    }

    fn constant(&mut self, value: i32) -> ExpressionId {
        if let Some(known) = self.small_constants.get(&value) {
            return *known;
        }
        let id = self.push_expression(Expression::Constant(value));
        self.small_constants.insert(value, id);
        id
    }

    fn push_expression(&mut self, expression: Expression) -> ExpressionId {
        self.program.expressions.push(expression);
        ExpressionId(self.program.expressions.len() as u32 - 1)
    }

    fn push_place(&mut self, place: mazurka_model::Place) -> PlaceId {
        if let Some(known) = self
            .program
            .places
            .iter()
            .rev()
            .take(64)
            .position(|p| *p == place)
        {
            return PlaceId((self.program.places.len() - 1 - known) as u32);
        }
        self.program.places.push(place);
        PlaceId(self.program.places.len() as u32 - 1)
    }

    fn push_list(&mut self, list: Vec<ExpressionId>) -> std::ops::Range<u32> {
        let start = self.program.lists.len() as u32;
        self.program.lists.extend(list);
        start..self.program.lists.len() as u32
    }

    fn channel_type(&mut self, channel: ChannelType) -> ChannelTypeId {
        self.channel_types.push(channel);
        ChannelTypeId(self.channel_types.len() as u32 - 1)
    }

    /// Puts instructions with jumps relative to their first one into the program.
    fn emit_code(&mut self, code: Vec<Instruction>) -> std::ops::Range<u32> {
        let start = self.program.code.len() as u32;
        self.program
            .code
            .extend(code.into_iter().map(|instruction| match instruction {
                Instruction::Jump(target) => Instruction::Jump(start + target),
                Instruction::JumpUnless(condition, target) => {
                    Instruction::JumpUnless(condition, start + target)
                }
                other => other,
            }));
        start..self.program.code.len() as u32
    }

    fn statement(&mut self, text: String, span: Span, reported: bool) -> StatementId {
        let process_type = self.current.unwrap_or(ProcessTypeId(0));
        let origin = self.origin(span);
        self.statement_spans.push(span);
        self.program.statements.push(mazurka_model::Statement {
            text,
            origin,
            process_type,
            reported,
        });
        StatementId(self.program.statements.len() as u32 - 1)
    }

    /// The text of a statement or an expression as it stands in the source, if macros have changed it: `x < LIMIT`, and not `x < 3`.
    /// Where there is nothing but the call of a macro or an `inline`, or a part of one, it is what that stands for: a call has several
    /// statements.
    fn as_written(&self, span: Span, expanded: String) -> String {
        if self.map.expansion(span.context).is_some() || self.map.is_in_call(span) {
            return expanded;
        }
        let source = self.map.text(span);
        if source.is_empty() {
            return expanded;
        }
        let signs = |text: &str| -> String {
            let is_sign = |sign: &char| !sign.is_whitespace() && !"();".contains(*sign);
            text.chars().filter(is_sign).collect()
        };
        let has_comment = ["/*", "//", "\\"].iter().any(|it| source.contains(it));
        // Where there are only numbers, what the macros stand for is what matters: `assert(7 < 5)`.
        let inside = expanded.strip_prefix("assert").unwrap_or(&expanded);
        let has_names = inside.contains(|sign: char| sign.is_alphabetic());
        if !has_names || has_comment || signs(source) == signs(&expanded) {
            return expanded;
        }
        let words: Vec<&str> = source.split_whitespace().collect();
        words.join(" ")
    }

    /// Where people look for a piece of text: in the body of an `inline`, but at the use of a macro.
    fn origin(&self, span: Span) -> Origin {
        let mut span = span;
        while let Some(expansion) = self.map.expansion(span.context) {
            if expansion.kind != ExpansionKind::Macro {
                break;
            }
            span = expansion.call;
        }
        let (Some(start), Some(end)) = (self.map.location(span), self.map.location(span.at_end()))
        else {
            return Origin::default();
        };
        let file = self
            .map
            .files()
            .iter()
            .position(|file| file.name() == start.file)
            .unwrap_or(0);
        Origin {
            file: file as u32,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    fn process_named(&mut self, name: &crate::ast::Name) -> Option<ProcessTypeId> {
        let found = self.names.process_names.get(&name.text).copied();
        if found.is_none() {
            let known: Vec<Arc<str>> = self.names.process_names.keys().cloned().collect();
            let known = known.iter().map(|name| &**name);
            self.unknown(
                problem::UNKNOWN_PROCTYPE,
                name.span,
                "proctype",
                &name.text,
                known,
            );
        }
        found
    }
}

/// This name, or else one with a number that nothing has yet.
fn free_name(name: &str, taken: &HashMap<String, Span>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names
        .find(|name| !taken.contains_key(name))
        .expect("there are more names than formulas")
}

/// The process types of a model in the order of the text, with `init` among them.
enum ProcessUnit<'m> {
    Proctype(&'m Proctype),
    Init(&'m crate::ast::Init),
}

fn process_units(model: &Model) -> impl Iterator<Item = ProcessUnit<'_>> {
    model.units.iter().filter_map(|unit| match unit {
        Unit::Proctype(proctype) => Some(ProcessUnit::Proctype(proctype)),
        Unit::Init(init) => Some(ProcessUnit::Init(init)),
        _ => None,
    })
}
