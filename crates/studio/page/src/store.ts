// One cursor: what is known of the session, and what can be done with it. Every view reads from here.
import { batch, computed, signal } from '@preact/signals';
import type { Branch, ChartDelta, Check, Explanation, Opened, Row, Snapshot, Step, Stretch, Trouble, View, Violation, Waiting, Watch } from './types';

export class Refused extends Error {
  constructor(readonly trouble: Trouble) { super(trouble.error); }
}

/** The server reads no more of a request. */
const LARGEST = 2 * 2 ** 20;

/** Asks the server something. */
export async function ask<T>(question: string, body: unknown = {}): Promise<T> {
  const sent = new Blob([JSON.stringify(body)], { type: 'application/json' });
  if (sent.size > LARGEST) throw new Refused({ error: `that is too large for this page: ${bytes(sent.size)}, and ${bytes(LARGEST)} are possible`, diagnostics: [] });
  let response: Response;
  try {
    response = await fetch(`api/${question}`, { method: 'POST', body: sent });
  } catch {
    throw new Refused({ error: 'Mazurka no longer answers: is it still running?', diagnostics: [] });
  }
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  let trouble: Trouble = { error: text, diagnostics: [] };
  try { trouble = JSON.parse(text) as Trouble; } catch { /* it is plain text */ }
  throw new Refused(trouble);
}

export const opened = signal<Opened | null>(null);
export const revision = signal(0);
export const branch = signal(0);
export const branches = signal<Branch[]>([]);
export const position = signal(0);
export const steps = signal<Step[]>([]);
export const choices = signal<Step[]>([]);
export const waiting = signal<Waiting[]>([]);
/** Those who wait for each other. */
export const circle = signal<number[]>([]);
export const stacks = signal<View['stacks']>([]);
export const ending = signal<View['ending']>('open');
export const state = signal<Snapshot | null>(null);
export const changes = signal<View['changes']>([]);
export const locations = signal<View['locations']>([]);
export const watches = signal<Watch[]>([]);
export const involved = signal<View['involved']>([]);
export const violation = signal<Violation | null>(null);
export const loopFrom = signal<number | null>(null);
export const canStep = signal(false);
/** A real program, and whether it runs. */
export const program = signal<View['program']>(null);
export const nodes = signal<(number | null)[]>([]);
export const chart = signal<(Omit<ChartDelta, 'keep_rows' | 'keep_stretches'>) | null>(null);
export const check = signal<Check | null>(null);
export const explanation = signal<Explanation | null>(null);
/** The process that is looked at; the one that moved last unless the user chose another. */
export const chosen = signal<number | null>(null);
export const note = signal<{ text: string; wrong: boolean } | null>(null);
export const tab = signal<'source' | 'automaton' | 'space' | 'check'>('source');
/** Has the text been changed, and is not simulated yet? */
export const edited = signal(false);
/** Simulates the text that was typed; false if it cannot be. The editor says how. */
export const editing: { apply: () => Promise<boolean> } = { apply: async () => true };
/** Has somebody changed the model on disk, or built the program anew? */
export const changedOnDisk = signal(false);
/** How the cursor came where it is, for those who animate. */
export const moved = signal<'forward' | 'other'>('other');

export const current = computed(() => {
  const taken = steps.value[position.value - 1];
  const at = chosen.value ?? taken?.process ?? state.value?.processes[0]?.process ?? 0;
  return at;
});

export function say(text: string | null, wrong = false): void {
  note.value = text === null ? null : { text, wrong };
}

/** What was refused is said, and nothing else changes. */
export function complain(error: unknown): void {
  say(error instanceof Error ? error.message : String(error), true);
}

/** What the page has, and where it stands. */
export function have() {
  return {
    revision: revision.value,
    branch: branch.value,
    steps: steps.value.length,
    position: position.value,
    chart: { version: chart.value?.version ?? 0, rows: chart.value?.rows.length ?? 0, stretches: chart.value?.stretches.length ?? 0 },
  };
}

function take(view: View): void {
  batch(() => {
    const before = position.value;
    moved.value = view.branch === branch.value && view.position === before + 1 ? 'forward' : 'other';
    revision.value = view.revision;
    branch.value = view.branch;
    branches.value = view.branches;
    if (view.steps.length || view.keep !== steps.value.length) steps.value = steps.value.slice(0, view.keep).concat(view.steps);
    position.value = view.position;
    choices.value = view.choices;
    waiting.value = view.waiting;
    circle.value = view.circle;
    stacks.value = view.stacks;
    ending.value = view.ending;
    state.value = view.state;
    changes.value = view.changes;
    locations.value = view.locations;
    watches.value = view.watches;
    if (JSON.stringify(view.violation) !== JSON.stringify(violation.value)) explanation.value = null;
    involved.value = view.involved;
    violation.value = view.violation;
    loopFrom.value = view.loop_from;
    canStep.value = view.can_step;
    program.value = view.program;
    nodes.value = view.nodes;
    const old = chart.value;
    const { keep_rows, keep_stretches, ...rest } = view.chart;
    const rows: Row[] = keep_rows === old?.rows.length && !rest.rows.length ? old.rows : (old?.rows ?? []).slice(0, keep_rows).concat(rest.rows);
    const stretches: Stretch[] = (old?.stretches ?? []).slice(0, keep_stretches).concat(rest.stretches);
    chart.value = { ...rest, rows, stretches };
    if (chosen.value !== null && view.state && !view.state.processes.some(p => p.process === chosen.value)) chosen.value = null;
    say(view.note);
  });
}

// One after the other, so that what comes back belongs to what the page has.
let queue: Promise<unknown> = Promise.resolve();

function queued<T>(work: () => Promise<T>): Promise<T> {
  const next = queue.then(work, work);
  queue = next.catch(() => undefined);
  return next;
}

function viewed(question: string, body: object): Promise<void> {
  return queued(async () => {
    try {
      const view = await ask<View>(question, { have: have(), ...body });
      const fresh = opened.value && view.revision !== opened.value.revision && !edited.value ? await readAgain() : null;
      batch(() => {
        if (fresh) [opened.value, check.value] = fresh;
        take(view);
      });
      if (opened.value && view.revision !== opened.value.revision) say('another page has changed the model: copy your text, reload this page, and edit again', true);
    } catch (error) { complain(error); }
  });
}

/** Another page has changed the model, or the program has been built anew: text and verdicts are those of something else. */
async function readAgain(): Promise<[Opened, Check | null]> {
  const [subject, now] = [await ask<Opened>('open'), await ask<Check>('check')];
  return [subject, now.running || now.properties.length || now.trouble ? now : null];
}

/** Looks whether the files are still what was read. */
export async function lookAtDisk(): Promise<void> {
  try { changedOnDisk.value = (await ask<{ changed: boolean }>('disk')).changed; } catch { /* then nobody knows */ }
}

/** Reads the model again, or runs the program as it is built now. */
export async function reload(): Promise<void> {
  try {
    const { note } = await ask<{ note: string | null }>('reload');
    edited.value = false;
    check.value = null;
    await open();
    say(note ?? 'read again');
  } catch (error) { complain(error); }
  await lookAtDisk();
}

export type Action =
  | { do: 'look' | 'back' | 'forward' | 'reset' | 'start' }
  | { do: 'take'; choice: number }
  | { do: 'go'; position: number }
  | { do: 'random'; steps: number }
  | { do: 'until'; expression: string }
  | { do: 'branch' | 'violation'; number: number }
  | { do: 'node'; number: number; slot: number };

/** Counts what the user did, so that nothing moves under their hands. */
let deeds = 0;

export async function act(action: Action): Promise<void> {
  if (action.do !== 'look') { chosen.value = null; deeds += 1; }
  await viewed('act', action);
  await findSources();
  if (action.do === 'violation' && violation.value && !program.value) await explain();
}

/** A program that runs comes to places in files that were not known when it was opened. */
const sought = new Set<string>();
async function findSources(): Promise<void> {
  if (!program.value?.runs) return;
  const known = new Set(opened.value?.sources.map(source => source.file));
  const unknown = [...steps.value, ...choices.value].map(step => step.file).filter(file => file && !known.has(file) && !sought.has(file));
  if (!unknown.length) return;
  for (const file of unknown) sought.add(file);
  try { opened.value = await ask<Opened>('open'); } catch (error) { complain(error); }
}

export const watch = (expressions: string[]) => viewed('watch', { expressions });
export const setChart = (folded: string[], filter: string) => viewed('chart', { folded, filter });

export async function open(): Promise<void> {
  try { opened.value = await ask<Opened>('open'); } catch (error) { complain(error); return; }
  document.title = `${opened.value.name} · Mazurka Studio`;
  await act({ do: 'look' });
}

/** Steps that the user asks for faster than they come are not queued for ever. */
let pending = 0;
export async function hurry(action: Action): Promise<void> {
  if (pending > 2) return;
  pending += 1;
  try { await act(action); } finally { pending -= 1; }
}

export async function explain(): Promise<void> {
  try { explanation.value = await ask<Explanation>('explain', { have: have() }); } catch (error) { complain(error); }
}

export async function startCheck(config: object): Promise<void> {
  const since = deeds;
  try {
    check.value = await ask<Check>('check/start', config);
    await follow(since);
  } catch (error) { complain(error); }
}

/** A model that is opened is looked at for this long, in seconds and bytes, whether something is wrong with it. */
const FIRST_LOOK = { time: 2, memory: 512 * 2 ** 20 };

/** The counterexample is what one came for, so that it is looked for at once. A scenario, or what somebody has begun, is left as it is. */
export async function firstLook(): Promise<void> {
  const since = deeds;
  try {
    const now = await ask<Check>('check');
    const isKnown = now.properties.length > 0 || now.trouble !== null;
    if (now.running || isKnown) check.value = now;
    if (now.running) { await follow(since); return; }
    if (isKnown || opened.value?.subject !== 'model' || steps.value.length || branches.value.length > 1) return;
    // Another page may have begun in the meantime.
    try { check.value = await ask<Check>('check/start', FIRST_LOOK); } catch (error) {
      check.value = await ask<Check>('check');
      if (!check.value.running) throw error;
    }
    await follow(since);
    if (check.value?.properties.some(property => property.verdict === 'inconclusive')) say(`looked for ${FIRST_LOOK.time} seconds, not at everything: Check does`);
  } catch (error) { complain(error); }
}

export async function stopCheck(): Promise<void> {
  try { check.value = await ask<Check>('check/stop'); } catch (error) { complain(error); }
}

/** Looks at the check until it has ended, and then at what it found, unless the user is busy elsewhere by now. */
async function follow(since: number): Promise<void> {
  for (;;) {
    const now = await ask<Check>('check');
    check.value = now;
    if (!now.running) break;
    await new Promise(done => setTimeout(done, 120));
  }
  const ended = check.value;
  if (ended?.trouble) say(ended.trouble.error, true);
  if (!ended?.violations.length) return;
  if (deeds === since) await showViolation(0);
  else say('the check has found a violation: v shows it');
}

/** A counterexample is a run of its own: what was there before can be returned to. */
export async function showViolation(number: number): Promise<void> {
  await act({ do: 'violation', number });
  tab.value = 'source';
}

/** Goes along the run, from the beginning if it is over, until it ends or something else is done. */
export const replaying = signal(false);
export async function replay(): Promise<void> {
  if (replaying.value) { replaying.value = false; return; }
  if (position.value === steps.value.length) await act({ do: 'go', position: 0 });
  replaying.value = true;
  // A long run takes half a minute, a short one can be followed.
  const pause = Math.max(30, Math.min(500, 30_000 / Math.max(1, steps.value.length)));
  for (let since = deeds; replaying.value && position.value < steps.value.length; since = deeds) {
    await new Promise(done => setTimeout(done, pause));
    if (deeds !== since) break;
    if (replaying.value) await act({ do: 'forward' });
  }
  replaying.value = false;
}

export async function exported(form: string): Promise<{ name: string; text: string } | null> {
  try { return await ask('export', { text: form, have: have() }); } catch (error) { complain(error); return null; }
}

export async function copy(text: string, what: string): Promise<void> {
  try { await navigator.clipboard.writeText(text); say(`${what} copied`); } catch { say('the browser does not let us copy', true); }
}

export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const grouped = (value: number) => Math.round(value).toLocaleString('en');
export function bytes(value: number): string {
  for (const [unit, size] of [['GB', 2 ** 30], ['MB', 2 ** 20], ['kB', 2 ** 10]] as const) {
    if (value >= size) return `${(value / size).toPrecision(3)} ${unit}`;
  }
  return `${value} B`;
}
/** What went wrong, in words that do not begin twice: not `assertion: assertion violated`. */
export function told(wrong: Violation): string {
  const kind = wrong.kind.replace(/-/g, ' '), text = brief(wrong.message);
  return text.replace(/-/g, ' ').toLowerCase().startsWith(kind) ? text : `${kind}: ${text}`;
}
/** Is the cursor where the run of a violation ends? */
export const isAtFailure = computed(() => violation.value !== null && position.value === steps.value.length);
/** Without the folders of the files that it names. */
export const brief = (text: string) => text.replace(/(?:[^\s:;,()]*\/)+([^\s:;,()\/]+:\d+)/g, '$1');
/** `1.2 M` */
export function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e3) return `${(value / 1e3).toFixed(0)} k`;
  return value.toFixed(0);
}
/** A step as text that can be pasted. */
export function textOf(step: Step, number: number): string {
  const lines = [`${number}  ${step.name}  ${step.file ? `${step.file}:${step.line}  ` : ''}${step.statement}`];
  for (const said of step.said ?? []) lines.push(`     ${said}`);
  if (step.failure) lines.push(`     ${step.failure}`);
  return lines.join('\n');
}
