// The page: one cursor, and views that are linked by it.
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import './studio.css';
import { Chart } from './chart';
import { CheckButtons, CheckTab, Verdicts, begin, canCheck } from './check';
import { Automaton, Space } from './graph';
import { Edge, MANY, Panel, byType } from './panel';
import { Source, isTyping } from './source';
import { act, branch, branches, canStep, chart, check, choices, complain, edited, explain, firstLook, hurry, lookAtDisk, loopFrom, note, open, opened, position, program, replay, replaying, say, setChart, showViolation, steps, tab, violation } from './store';
import { Trace } from './trace';
import { Values } from './values';

const ALL_TABS = [['source', 'Source'], ['automaton', 'Automaton'], ['space', 'State space'], ['check', 'Check']] as const;
/** A real program has no automaton, and nobody knows its states. */
const tabs = () => (program.value ? ALL_TABS.filter(([name]) => name === 'source' || name === 'check') : ALL_TABS);

function Studio() {
  useEffect(() => { addEventListener('keydown', keys); return () => removeEventListener('keydown', keys); }, []);
  return (
    <>
      <Head />
      <Keys />
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
      {!check.value?.properties.length && violation.value && <span class="chip wrong">✗ {violation.value.property} violated: {violation.value.kind}</span>}
      <Verdicts />
      <CheckButtons />
      <button class="plain quiet" title="Keys (?)" aria-expanded={keysShown.value} aria-controls="keys" onClick={() => { keysShown.value = !keysShown.value; }}>Keys</button>
    </header>
  );
}

function Lower() {
  const list = useRef<HTMLDivElement>(null);
  const go = (by: number) => {
    const all = tabs(), index = (all.findIndex(([name]) => name === tab.value) + by + all.length) % all.length;
    tab.value = all[index]?.[0] ?? 'source';
    (list.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  return (
    <Panel name="lower" label={tabs().map(([, title]) => title).join(', ')} title={
      <div class="tabs" role="tablist" ref={list} onKeyDown={event => {
        if (event.key === 'ArrowRight') go(1); else if (event.key === 'ArrowLeft') go(-1); else return;
        event.preventDefault();
        event.stopPropagation();
      }}>
        {tabs().map(([name, title]) => (
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
        <button title="Go along the run, step by step (p)" aria-pressed={replaying.value} disabled={length === 0} onClick={() => void replay()}>{replaying.value ? 'Pause' : 'Replay'}</button>
      </div>
      {canStep.value && <>
        <button title="Take a step at random (r); with Shift, a hundred" disabled={!choices.value.length} onClick={event => void act({ do: 'random', steps: event.shiftKey ? 100 : 1 })}>Random</button>
        {!program.value && <form onSubmit={event => { event.preventDefault(); if (until.trim()) void act({ do: 'until', expression: until.trim() }); }}>
          <label>Run until <input placeholder="expression" aria-label="Expression to run for" value={until} onInput={event => setUntil(event.currentTarget.value)} /></label>
          <button title="Take steps at random until it holds">Run</button>
        </form>}
        <button title="A new run from the initial state" disabled={length === 0} onClick={() => void act({ do: 'reset' })}>Reset</button>
      </>}
      {branches.value.length > 1 && <button class="plain" title="The next run (b)" onClick={nextRun}>run {branch.value + 1} of {branches.value.length}</button>}
      <span class={`note ${note.value?.wrong ? 'wrong' : ''}`} role={note.value?.wrong ? 'alert' : 'status'}>{note.value ? `${note.value.wrong ? '✗ ' : ''}${note.value.text}` : ''}</span>
      <span class="at">step {at} of {length}</span>
    </footer>
  );
}

const nextRun = () => void act({ do: 'branch', number: (branch.value + 1) % branches.value.length });

function forward(): void {
  // What repeats for ever goes round.
  if (position.value < steps.value.length || !canStep.value || loopFrom.value !== null) void hurry({ do: 'forward' });
  else if (choices.value.length === 1) void hurry({ do: 'take', choice: 0 });
  else if (choices.value.length === 0) void hurry({ do: 'forward' });
  else say('there are several possible steps: choose one with 1 to 9');
}

function keys(event: KeyboardEvent): void {
  if (event.key === 'Escape' && closeHelp()) { event.preventDefault(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const inPicture = event.target instanceof Element && event.target.closest('.picture .scroll, .menu') !== null;
  if (inPicture && /^Arrow|^Enter$/.test(event.key)) return;
  const inList = event.target instanceof Element && event.target.closest('.list') !== null;
  const digit = '123456789'.indexOf(event.key);
  if (event.key === 'ArrowLeft') void hurry({ do: 'back' });
  else if (event.key === 'ArrowRight') forward();
  else if (inList && event.key === 'ArrowUp') void hurry({ do: 'back' });
  else if (inList && event.key === 'ArrowDown') void hurry({ do: 'go', position: position.value + 1 });
  else if (inList && event.key === 'PageUp') void hurry({ do: 'go', position: Math.max(0, position.value - 10) });
  else if (inList && event.key === 'PageDown') void hurry({ do: 'go', position: position.value + 10 });
  else if (event.key === 'Home') void act({ do: 'go', position: 0 });
  else if (event.key === 'End') void act({ do: 'go', position: steps.value.length });
  else if (digit >= 0 && digit < choices.value.length) void act({ do: 'take', choice: digit });
  else if (event.key === 'r' && choices.value.length) void hurry({ do: 'random', steps: 1 });
  else if (event.key === 'R' && choices.value.length) void hurry({ do: 'random', steps: 100 });
  else if (event.key === 'b' && branches.value.length > 1) nextRun();
  else if (event.key === 'p' && steps.value.length) void replay();
  else if (event.key === 'c' && canCheck() && !check.value?.running) void begin();
  else if (event.key === 'v' && check.value?.violations.length) void showViolation(0);
  else if (event.key === 'e' && violation.value && !program.value) void explain();
  // The program of a scenario may be anybody's: a key that was pressed by mistake does not run it.
  else if (event.key === 's' && program.value?.command && !program.value.runs) document.querySelector<HTMLElement>('.run')?.focus();
  else if (event.key === '?') keysShown.value = !keysShown.value;
  else return;
  event.preventDefault();
}

const keysShown = signal(false);

/** Was the list of keys open? */
function closeHelp(): boolean {
  const was = keysShown.value;
  keysShown.value = false;
  return was;
}

const KEYS = [['← →', 'back, forward'], ['Home End', 'to the beginning, to the end'], ['1 … 9', 'take a step'], ['r, R', 'a step at random, a hundred'], ['p', 'replay, pause'], ['b', 'the next run'],
  ['c', 'check'], ['v', 'show the counterexample'], ['s', 'to the button that runs a program'], ['e', 'explain the violation'], ['Ctrl-F', 'find a step'], ['Ctrl-Enter', 'simulate the edited text'], ['Ctrl-S', 'save it'], ['?, Esc', 'this list, close it']];

/** The list of keys has room of its own, so that it hides nothing. */
function Keys() {
  if (!keysShown.value) return null;
  return <section class="keys" id="keys" aria-label="Keys"><dl>{KEYS.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl></section>;
}

/** Two hundred lifelines are one, until somebody wants to see them. Each type is folded once: who unfolds it means it. */
const offered = new Set<string>();
async function foldMany(): Promise<void> {
  const columns = chart.value?.columns ?? [];
  if (columns.length <= 24) return;
  const many = byType(columns, column => column.name).filter(([kind, all]) => all.length > MANY && !offered.has(kind)).map(([kind]) => kind);
  for (const kind of many) offered.add(kind);
  if (many.length) await setChart([...(chart.value?.options.folded ?? []), ...many], chart.value?.options.filter ?? '');
}
effect(() => { if (chart.value) void foldMany(); });

// Whoever comes back from another editor, or from a compiler, learns what is new there.
addEventListener('focus', () => void lookAtDisk());
// What was typed is nowhere else.
addEventListener('beforeunload', event => { if (edited.value) event.preventDefault(); });

const root = document.getElementById('studio');
if (root) {
  root.replaceChildren();
  render(<Studio />, root);
  open().then(async () => {
    if (violation.value && !program.value) await explain();
    await firstLook();
    document.documentElement.dataset.ready = 'yes';
  }).catch(complain);
}
