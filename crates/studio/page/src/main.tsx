// The page: one cursor, and views that are linked by it.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import './studio.css';
import { Chart } from './chart';
import { CheckButtons, CheckTab, Verdicts, begin } from './check';
import { Automaton, Space } from './graph';
import { Edge, Panel } from './panel';
import { Source, isTyping } from './source';
import { act, branch, branches, canStep, chart, check, choices, complain, follow, hurry, loopFrom, note, open, opened, position, program, say, setChart, steps, tab, violation, explain } from './store';
import { Trace } from './trace';
import { Values } from './values';

const TABS = [['source', 'Source'], ['automaton', 'Automaton'], ['space', 'State space'], ['check', 'Check']] as const;

function Studio() {
  useEffect(() => { addEventListener('keydown', keys); return () => removeEventListener('keydown', keys); }, []);
  return (
    <>
      <Head />
      <main>
        <Trace />
        <Edge name="left" direction="across" from="start" initial={290} least={160} label="Width of the trace" />
        <div class="middle">
          <Chart />
          <Edge name="lower" direction="down" from="end" initial={270} least={120} label="Height of the lower panel" />
          <Lower />
        </div>
        <Edge name="right" direction="across" from="end" initial={300} least={180} label="Width of the values" />
        <Values />
      </main>
      <Foot />
    </>
  );
}

function Head() {
  const subject = opened.value;
  return (
    <header class="head">
      <h1 title={subject?.file}>{subject?.name ?? 'Mazurka Studio'}{subject?.defines.length ? <span class="quiet"> {subject.defines.join(' ')}</span> : null}</h1>
      {!check.value && violation.value && <span class="chip wrong">✗ {violation.value.property} violated: {violation.value.kind}</span>}
      <Verdicts />
      <CheckButtons />
      <Help />
    </header>
  );
}

function Lower() {
  const list = useRef<HTMLDivElement>(null);
  const go = (by: number) => {
    const index = (TABS.findIndex(([name]) => name === tab.value) + by + TABS.length) % TABS.length;
    tab.value = TABS[index]?.[0] ?? 'source';
    (list.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  return (
    <Panel name="lower" label="Source, automaton, state space, check" title={
      <div class="tabs" role="tablist" ref={list} onKeyDown={event => {
        if (event.key === 'ArrowRight') go(1); else if (event.key === 'ArrowLeft') go(-1); else return;
        event.preventDefault();
        event.stopPropagation();
      }}>
        {TABS.map(([name, title]) => (
          <button key={name} role="tab" id={`tab-${name}`} aria-selected={tab.value === name} aria-controls="lower" tabIndex={tab.value === name ? 0 : -1} onClick={() => { tab.value = name; }}>{title}</button>))}
      </div>}>
      <div class="tabbed" role="tabpanel" id="lower" aria-labelledby={`tab-${tab.value}`}>
        {/* The text stays as it is while somebody looks elsewhere. */}
        <div class={tab.value === 'source' ? 'shown' : 'hidden'}><Source /></div>
        {tab.value === 'automaton' && <Automaton />}
        {tab.value === 'space' && <Space />}
        {tab.value === 'check' && <CheckTab />}
      </div>
    </Panel>
  );
}

function Foot() {
  const [until, setUntil] = useState('');
  const at = position.value, length = steps.value.length;
  return (
    <footer class="foot">
      <div class="group" role="group" aria-label="Walk">
        <button title="To the beginning (Home)" aria-label="To the beginning" disabled={at === 0} onClick={() => void act({ do: 'go', position: 0 })}>|◀</button>
        <button title="Back (←)" disabled={at === 0} onClick={() => void act({ do: 'back' })}>◀ Back</button>
        <button title="Forward (→): the next step of this run, or the only possible one" disabled={at === length && choices.value.length !== 1 && loopFrom.value === null} onClick={forward}>Step ▶</button>
        <button title="To the end (End)" aria-label="To the end" disabled={at === length} onClick={() => void act({ do: 'go', position: length })}>▶|</button>
      </div>
      {canStep.value && <>
        <button title="Take a step at random (r); with Shift, a hundred" disabled={!choices.value.length} onClick={event => void act({ do: 'random', steps: event.shiftKey ? 100 : 1 })}>⤨ Random</button>
        {!program.value && <form onSubmit={event => { event.preventDefault(); if (until.trim()) void act({ do: 'until', expression: until.trim() }); }}>
          <label>Run until <input placeholder="expression" aria-label="Expression to run for" value={until} onInput={event => setUntil(event.currentTarget.value)} /></label>
          <button title="Take steps at random until it holds">Run</button>
        </form>}
        <button title="A new run from the initial state" disabled={length === 0} onClick={() => void act({ do: 'reset' })}>Reset</button>
      </>}
      {branches.value.length > 1 && <span title="The next run (b)">⑂ run {branch.value + 1} of {branches.value.length}</span>}
      <span class={`note ${note.value?.wrong ? 'wrong' : ''}`} role={note.value?.wrong ? 'alert' : 'status'}>{note.value ? `${note.value.wrong ? '✗ ' : ''}${note.value.text}` : ''}</span>
      <span class="at">step {at} of {length}</span>
    </footer>
  );
}

function forward(): void {
  // What repeats for ever goes round.
  if (position.value < steps.value.length || !canStep.value || loopFrom.value !== null) void hurry({ do: 'forward' });
  else if (choices.value.length === 1) void hurry({ do: 'take', choice: 0 });
  else if (choices.value.length === 0) void hurry({ do: 'forward' });
  else say('there are several possible steps: choose one with 1 to 9');
}

function keys(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const scrolls = (event.target as Element | null)?.closest?.('.picture .scroll') !== null && (event.target as Element | null)?.closest?.('.picture .scroll') !== undefined;
  if (scrolls && event.key.startsWith('Arrow')) return;
  const digit = '123456789'.indexOf(event.key);
  if (event.key === 'ArrowLeft') void hurry({ do: 'back' });
  else if (event.key === 'ArrowRight') forward();
  else if (event.key === 'Home') void act({ do: 'go', position: 0 });
  else if (event.key === 'End') void act({ do: 'go', position: steps.value.length });
  else if (digit >= 0 && digit < choices.value.length) void act({ do: 'take', choice: digit });
  else if (event.key === 'r' && choices.value.length) void hurry({ do: 'random', steps: 1 });
  else if (event.key === 'R' && choices.value.length) void hurry({ do: 'random', steps: 100 });
  else if (event.key === 'b' && branches.value.length > 1) void act({ do: 'branch', number: (branch.value + 1) % branches.value.length });
  else if (event.key === 'c' && opened.value?.subject === 'model' && !check.value?.running) begin();
  else if (event.key === 'e' && violation.value && !program.value) void explain();
  else if (event.key === 's' && program.value && !program.value.runs) void act({ do: 'start' });
  else if (event.key === '?') document.querySelector<HTMLDetailsElement>('.help')?.toggleAttribute('open');
  else return;
  event.preventDefault();
}

function Help() {
  const rows = [['← →', 'back, forward'], ['Home End', 'to the beginning, to the end'], ['1 … 9', 'take a step'], ['r, R', 'a step at random, a hundred'], ['b', 'the next run'],
    ['c', 'check'], ['s', 'run the program of a scenario'], ['e', 'explain the violation'], ['Ctrl-F', 'find a step'], ['Ctrl-Enter', 'simulate the edited text'], ['Ctrl-S', 'save it'], ['?', 'this list']];
  return (
    <details class="help"><summary title="Keys (?)">Keys</summary>
      <table><tbody>{rows.map(([key, what]) => <tr key={key}><td><kbd>{key}</kbd></td><td>{what}</td></tr>)}</tbody></table>
    </details>
  );
}

/** Two hundred lifelines are one, until somebody wants to see them. */
async function foldMany(): Promise<void> {
  const counts = new Map<string, number>();
  for (const column of chart.value?.columns ?? []) {
    const kind = column.name.split('[')[0] ?? column.name;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const many = [...counts].filter(([, count]) => count > 12).map(([kind]) => kind);
  if (many.length && (chart.value?.columns.length ?? 0) > 24) await setChart(many, '');
}

const root = document.getElementById('studio');
if (root) {
  root.replaceChildren();
  render(<Studio />, root);
  open().then(foldMany).then(async () => {
    if (violation.value && !program.value) await explain();
    if (opened.value?.subject === 'model') await follow();
    document.documentElement.dataset.ready = 'yes';
  }).catch(complain);
}
