// Checking: what to look for, how far it is, what came of it.
import { signal } from '@preact/signals';
import { Plot } from './panel';
import { brief, bytes, check, edited, editing, grouped, opened, program, short, showViolation, startCheck, stopCheck, tab } from './store';
import type { Verdict } from './types';

const options = signal({ search: 'dfs', reduce: 'auto', all: false, fair: false, progress: false });

/** What was typed is what is checked. */
export async function begin(): Promise<void> {
  if (edited.value && !await editing.apply()) return;
  const { search, reduce, all, fair, progress } = options.value;
  tab.value = 'check';
  void startCheck(program.value ? { all } : { search, reduce, all, fair, progress });
}

const MARKS: Record<Verdict, string> = { holds: '✓', violated: '✗', inconclusive: '?', 'not decided': '·' };
const CLASSES: Record<Verdict, string> = { holds: 'good', violated: 'wrong', inconclusive: 'grey', 'not decided': 'grey' };

/** In the head of the page: a mark for each property, and how far the search is. */
export function Verdicts() {
  const now = check.value, last = now?.samples[now.samples.length - 1];
  return (
    <div class={`verdicts ${edited.value ? 'stale' : ''}`} role="status" aria-live="polite">
      {edited.value && now && now.properties.length > 0 && <span class="quiet">before your change:</span>}
      {now?.properties.map(property => {
        const number = now.violations.findIndex(one => one.property === property.name), found = now.violations[number];
        return (
          <button key={property.name} class={`chip ${CLASSES[property.verdict]}`} title={found ? 'Show the counterexample (v)' : property.reason ?? property.notes.join(' ')}
            onClick={() => { if (found) void showViolation(number); else tab.value = 'check'; }}>
            {MARKS[property.verdict]} {property.name} {property.verdict}{property.under ? ` under ${property.under}` : ''}{property.vacuous ? ' (vacuously)' : ''}{found ? ` (${grouped(found.steps)} step${found.steps === 1 ? '' : 's'})` : ''}
          </button>);
      })}
      {now?.running
        ? <span class="live">{now.property ?? ''} {last ? figures(last[1], last[0], last[2], now.counted) : 'begins'}</span>
        : now && now.properties.length > 0 && <span class="live quiet">{figures(sum(now.properties.map(one => one.states)), sum(now.properties.map(one => one.seconds)), Math.max(...now.properties.map(one => one.bytes)), now.counted)}</span>}
    </div>
  );
}

const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
/** `96,112 states · 1.2 M/s · 4 MB`; a rate is told if it took long enough to have one. */
function figures(count: number, seconds: number, memory: number, counted: string): string {
  const rate = seconds >= 0.05 ? ` · ${short(count / seconds)}/s` : '';
  return `${grouped(count)} ${count === 1 ? counted.replace(/s$/, '') : counted}${rate}${memory ? ` · ${bytes(memory)}` : ''}`;
}

/** Can there be a check? A program must be wanted to run first. */
export const canCheck = () => opened.value !== null && (!program.value || program.value.runs);

export function CheckButtons() {
  if (!canCheck()) return null;
  const running = check.value?.running ?? false;
  return running
    ? <button class="stop" title="Stop the check" onClick={() => void stopCheck()}>■ Stop</button>
    : <button class="main" title="Check all properties (c)" onClick={() => void begin()}>▶ Check</button>;
}

export function CheckTab() {
  const now = check.value, set = options.value;
  const subject = opened.value;
  if (!subject) return null;
  if (!canCheck()) return <p class="quiet pad">A check runs the program many times: run it first.</p>;
  const isModel = subject.subject === 'model', counted = now?.counted || 'states';
  const seconds = now?.samples.map(sample => sample[1]) ?? [], memory = now?.samples.map(sample => sample[2]) ?? [], depth = now?.samples.map(sample => sample[3]) ?? [];
  const last = now?.samples[now.samples.length - 1];
  return (
    <div class="check scroll">
      <div class="bar">
        {isModel && <><label>Order <select value={set.search} onChange={event => { options.value = { ...set, search: event.currentTarget.value }; }}>
          <option value="dfs">depth first</option><option value="bfs">breadth first (shortest)</option></select></label>
        <label>Reduction <select value={set.reduce} onChange={event => { options.value = { ...set, reduce: event.currentTarget.value }; }}>
          {['auto', 'none', 'stubborn', 'persistent', 'ample', 'simultaneous'].map(name => <option key={name}>{name}</option>)}</select></label></>}
        <label><input type="checkbox" checked={set.all} onChange={event => { options.value = { ...set, all: event.currentTarget.checked }; }} /> all violations</label>
        {isModel && <><label><input type="checkbox" checked={set.fair} onChange={event => { options.value = { ...set, fair: event.currentTarget.checked }; }} /> weakly fair</label>
        <label><input type="checkbox" checked={set.progress} onChange={event => { options.value = { ...set, progress: event.currentTarget.checked }; }} /> livelocks alone</label></>}
        <CheckButtons />
      </div>
      {now && (now.running || now.samples.length > 1) && (
        <div class="plots">
          <figure><Plot values={seconds} width={220} height={56} label={counted} /><figcaption>{counted} {last ? grouped(last[1]) : ''}</figcaption></figure>
          {isModel && <figure><Plot values={memory} width={220} height={56} label="memory" /><figcaption>memory {last ? bytes(last[2]) : ''}</figcaption></figure>}
          <figure><Plot values={depth} width={220} height={56} label="depth" /><figcaption>depth {last ? grouped(last[3]) : ''}</figcaption></figure>
        </div>)}
      {now?.trouble && <p class="wrong">{now.trouble.error}</p>}
      {now && now.properties.length > 0 && (
        <table class="properties">
          <thead><tr><th>property</th><th>verdict</th><th class="n">{counted}</th><th class="n">transitions</th><th class="n">depth</th>{isModel && <th class="n">memory</th>}<th class="n">seconds</th><th>reduction</th></tr></thead>
          <tbody>{now.properties.map(property => (
            <tr key={property.name}>
              <td data-label="property">{property.name}<FormulaOf name={property.name} /></td>
              <td data-label="verdict" class={CLASSES[property.verdict]}>{MARKS[property.verdict]} {property.verdict}{property.under ? ` under ${property.under}` : ''}{property.vacuous ? ', vacuously' : ''}
                {property.reason && <div class="quiet">{property.reason}</div>}{property.notes.map((text, index) => <div class="quiet" key={index}>{text}</div>)}</td>
              <td data-label={counted} class="n">{grouped(property.states)}</td><td data-label="transitions" class="n">{grouped(property.transitions)}</td><td data-label="depth" class="n">{grouped(property.depth)}</td>
              {isModel && <td data-label="memory" class="n">{bytes(property.bytes)}</td>}<td data-label="seconds" class="n">{property.seconds.toFixed(2)}</td><td data-label="reduction">{property.reduction}</td>
            </tr>))}</tbody>
        </table>)}
      {now && now.violations.length > 0 && <>
        <h3>Violations</h3>
        <ul class="violations">{now.violations.map((one, number) => (
          <li key={number}><button title="Show the counterexample" onClick={() => void showViolation(number)}>
            <span class="wrong">✗ {one.kind}</span> {brief(one.message)} <span class="quiet">{grouped(one.steps)} step{one.steps === 1 ? '' : 's'}{one.repeats ? ', repeats' : ''}{one.line ? `, line ${one.line}` : ''}</span></button></li>))}</ul>
      </>}
      {now && !now.running && now.unreached.length > 0 && <p class="quiet">Never reached: line{now.unreached.length === 1 ? '' : 's'} {now.unreached.join(', ')}.</p>}
      {!now && <p class="quiet">{!isModel ? 'All executions of the program that differ in the order of dependent operations.' : subject.formula ? `The formula of the scenario alone: ${subject.formula}.` : subject.formulas.length ? `Safety, then ${subject.formulas.map(formula => formula[0]).join(', ')}.` : 'Deadlocks, assertions and run-time errors.'} Press Check.</p>}
    </div>
  );
}

function FormulaOf(props: { name: string }) {
  const formula = opened.value?.formulas.find(one => one[0] === props.name);
  return formula ? <div class="quiet"><code>{formula[1]}</code></div> : null;
}
