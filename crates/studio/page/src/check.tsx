// Checking: what to look for, how far it is, what came of it.
import { signal } from '@preact/signals';
import { Plot } from './panel';
import { act, bytes, check, grouped, opened, short, startCheck, stopCheck, tab } from './store';
import type { Verdict } from './types';

const options = signal({ search: 'dfs', reduce: 'auto', all: false, fair: false, progress: false });

export function begin(): void {
  const { search, reduce, all, fair, progress } = options.value;
  tab.value = 'check';
  void startCheck({ search, reduce, all, fair, progress });
}

const MARKS: Record<Verdict, string> = { holds: '✓', violated: '✗', inconclusive: '?', 'not decided': '·' };
const CLASSES: Record<Verdict, string> = { holds: 'good', violated: 'wrong', inconclusive: 'grey', 'not decided': 'grey' };

/** In the head of the page: a mark for each property, and how far the search is. */
export function Verdicts() {
  const now = check.value, last = now?.samples[now.samples.length - 1];
  return (
    <div class="verdicts" role="status" aria-live="polite">
      {now?.properties.map(property => (
        <button key={property.name} class={`chip ${CLASSES[property.verdict]}`} title={property.reason ?? property.notes.join(' ')} onClick={() => { tab.value = 'check'; }}>
          {MARKS[property.verdict]} {property.name} {property.verdict}{property.vacuous ? ' (vacuously)' : ''}
        </button>))}
      {now?.running && <span class="live">{now.property ?? ''} {last ? `${grouped(last[1])} states · ${short(last[1] / Math.max(last[0], 0.001))}/s · ${bytes(last[2])}` : 'begins'}</span>}
    </div>
  );
}

export function CheckButtons() {
  if (opened.value?.subject !== 'model') return null;
  const running = check.value?.running ?? false;
  return running
    ? <button class="stop" title="Stop the check" onClick={() => void stopCheck()}>■ Stop</button>
    : <button class="main" title="Check all properties (c)" onClick={begin}>▶ Check</button>;
}

export function CheckTab() {
  const now = check.value, set = options.value;
  const subject = opened.value;
  if (subject?.subject !== 'model') return <p class="quiet pad">Real programs are checked by <code>mazurka explore</code>.</p>;
  const seconds = now?.samples.map(sample => sample[1]) ?? [], memory = now?.samples.map(sample => sample[2]) ?? [], depth = now?.samples.map(sample => sample[3]) ?? [];
  const last = now?.samples[now.samples.length - 1];
  return (
    <div class="check scroll">
      <div class="bar">
        <label>Order <select value={set.search} onChange={event => { options.value = { ...set, search: event.currentTarget.value }; }}>
          <option value="dfs">depth first</option><option value="bfs">breadth first (shortest)</option></select></label>
        <label>Reduction <select value={set.reduce} onChange={event => { options.value = { ...set, reduce: event.currentTarget.value }; }}>
          {['auto', 'none', 'stubborn', 'persistent', 'ample', 'simultaneous'].map(name => <option key={name}>{name}</option>)}</select></label>
        <label><input type="checkbox" checked={set.all} onChange={event => { options.value = { ...set, all: event.currentTarget.checked }; }} /> all violations</label>
        <label><input type="checkbox" checked={set.fair} onChange={event => { options.value = { ...set, fair: event.currentTarget.checked }; }} /> weakly fair</label>
        <label><input type="checkbox" checked={set.progress} onChange={event => { options.value = { ...set, progress: event.currentTarget.checked }; }} /> livelocks alone</label>
        <CheckButtons />
      </div>
      {now && (now.running || now.samples.length > 1) && (
        <div class="plots">
          <figure><Plot values={seconds} width={220} height={56} label="states" /><figcaption>states {last ? grouped(last[1]) : ''}</figcaption></figure>
          <figure><Plot values={memory} width={220} height={56} label="memory" /><figcaption>memory {last ? bytes(last[2]) : ''}</figcaption></figure>
          <figure><Plot values={depth} width={220} height={56} label="depth" /><figcaption>depth {last ? grouped(last[3]) : ''}</figcaption></figure>
        </div>)}
      {now?.trouble && <p class="wrong">{now.trouble.error}</p>}
      {now && now.properties.length > 0 && (
        <table class="properties">
          <thead><tr><th>property</th><th>verdict</th><th class="n">states</th><th class="n">transitions</th><th class="n">depth</th><th class="n">memory</th><th class="n">seconds</th><th>reduction</th></tr></thead>
          <tbody>{now.properties.map(property => (
            <tr key={property.name}>
              <td>{property.name}<FormulaOf name={property.name} /></td>
              <td class={CLASSES[property.verdict]}>{MARKS[property.verdict]} {property.verdict}{property.vacuous ? ', vacuously' : ''}
                {property.reason && <div class="quiet">{property.reason}</div>}{property.notes.map((text, index) => <div class="quiet" key={index}>{text}</div>)}</td>
              <td class="n">{grouped(property.states)}</td><td class="n">{grouped(property.transitions)}</td><td class="n">{grouped(property.depth)}</td>
              <td class="n">{bytes(property.bytes)}</td><td class="n">{property.seconds.toFixed(2)}</td><td>{property.reduction}</td>
            </tr>))}</tbody>
        </table>)}
      {now && now.violations.length > 0 && <>
        <h3>Violations</h3>
        <ul class="violations">{now.violations.map((one, number) => (
          <li key={number}><button title="Show the counterexample" onClick={() => void act({ do: 'violation', number })}>
            <span class="wrong">✗ {one.kind}</span> {one.message} <span class="quiet">{grouped(one.steps)} steps{one.repeats ? ', repeats' : ''}{one.line ? `, line ${one.line}` : ''}</span></button></li>))}</ul>
      </>}
      {now && !now.running && now.unreached.length > 0 && <p class="quiet">Never reached: lines {now.unreached.join(', ')}.</p>}
      {!now && <p class="quiet">{subject.formulas.length ? `Safety, then ${subject.formulas.map(formula => formula[0]).join(', ')}.` : 'Deadlocks, assertions and run-time errors.'} Press Check.</p>}
    </div>
  );
}

function FormulaOf(props: { name: string }) {
  const formula = opened.value?.formulas.find(one => one[0] === props.name);
  return formula ? <div class="quiet"><code>{formula[1]}</code></div> : null;
}
