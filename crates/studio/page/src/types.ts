// What the server says. Each type has its counterpart in ../../src/view.rs and its neighbours.

export interface Step {
  process: number;
  name: string;
  statement: string;
  file: string;
  line: number;
  partner?: string;
  /** What is sent or received, where the statement does not say it. */
  message?: string;
  continues?: boolean;
  holds?: boolean;
  failure?: string;
  said?: string[];
}

export interface Row { step: number; y: number; height: number; svg: string }
export interface Stretch { from: number; to: number; svg: string }
export interface Column { name: string; processes: number[]; x: number; lives: [number, number | null][] }

export interface ChartDelta {
  version: number;
  keep_rows: number;
  rows: Row[];
  keep_stretches: number;
  stretches: Stretch[];
  frame: Stretch | null;
  columns: Column[];
  header: string;
  header_height: number;
  width: number;
  height: number;
  options: { folded: string[]; filter: string };
}

export interface ProcessAt {
  process: number;
  name: string;
  at: { file: string; line: number; column: number };
  state?: string;
  awaits?: string;
  next: string[];
  may_end: boolean;
  holds: boolean;
}

export interface Snapshot {
  processes: ProcessAt[];
  variables: { name: string; value: string }[];
  channels: { name: string; capacity: number; messages: string[] }[];
}

export interface Branch { name: string; parent: number | null; fork: number; length: number; violated: boolean }
/** An expression of a model, or an object of a real program; the values of the latter are told in words. */
export interface Watch { expression: string; value: number | null; text: string | null; error: string | null; from: number; values: (number | null)[]; words: string[] }
export interface Waiting { process: number; statements: { statement: string; line: number; reason: string }[] }
export interface Involved { process: number; name: string; file: string; line: number; functions: string[] }
export interface Violation { property: string; kind: string; message: string; at: { file: string; line: number } | null }

export interface View {
  revision: number;
  note: string | null;
  branch: number;
  branches: Branch[];
  position: number;
  length: number;
  keep: number;
  steps: Step[];
  chart: ChartDelta;
  choices: Step[];
  waiting: Waiting[];
  circle: number[];
  stacks: { process: number; functions: string[] }[];
  ending: 'open' | 'end' | 'deadlock' | 'nonprogress' | 'failed';
  state: Snapshot | null;
  changes: { name: string; old: string | null; new: string }[];
  locations: { process: number; kind: string; location: number }[];
  watches: Watch[];
  /** Actors of a real program that did what went wrong, and where. */
  involved: Involved[];
  violation: Violation | null;
  loop_from: number | null;
  can_step: boolean;
  program: { command: string; runs: boolean } | null;
  nodes: (number | null)[];
}

export interface Diagnostic {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  hint: string | null;
  file: string | null;
  line: number;
  from: number;
  to: number;
}

export interface Opened {
  revision: number;
  subject: 'model' | 'program';
  file: string;
  name: string;
  language: string;
  defines: string[];
  sources: { file: string; text: string }[];
  unsaved: boolean;
  kinds: string[];
  formulas: [string, string][];
  /** The formula of a scenario, which is checked alone. */
  formula: string | null;
  warnings: Diagnostic[];
  version: string;
}

export interface Graph {
  width: number;
  height: number;
  svg: string;
  places: [number, number][];
  locations: number[];
  states: number;
  kept: number;
  complete: boolean;
}

export type Verdict = 'holds' | 'violated' | 'inconclusive' | 'not decided';

export interface Check {
  running: boolean;
  property: string | null;
  /** What is counted: the states of a model, the executions of a program. */
  counted: string;
  samples: [number, number, number, number][];
  verdict: Verdict | null;
  properties: {
    name: string; kind: string; verdict: Verdict; vacuous: boolean; under: string | null; reason: string | null; notes: string[];
    states: number; transitions: number; depth: number; bytes: number; seconds: number; reduction: string;
  }[];
  violations: { property: string; kind: string; message: string; line: number | null; steps: number; repeats: boolean }[];
  trouble: Trouble | null;
  unreached: number[];
}

export interface Trouble { error: string; diagnostics: Diagnostic[] }
export interface Explanation { title: string; lines: string[]; atoms: { text: string; values: (boolean | null)[] }[] }
