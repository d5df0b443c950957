// The steps taken and the steps that are possible.
import { useEffect, useRef, useState } from 'preact/hooks';
import { MANY, Many, Panel, asksForMenu, byType, menu } from './panel';
import { act, branch, branches, canStep, choices, chosen, copy, download, ending, exported, isAtFailure, loopFrom, position, program, state, steps, textOf, waiting } from './store';
import type { ProcessAt, Waiting } from './types';

const LINE = 22;

export function Trace() {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const [find, setFind] = useState('');
  const [shown, show] = useState(0);
  const finder = useRef<HTMLInputElement>(null);
  const all = steps.value, at = position.value;

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => setHeight(element.clientHeight));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [shown]);
  // The cursor stays in sight.
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const y = at * LINE;
    if (y < element.scrollTop + LINE || y + LINE > element.scrollTop + element.clientHeight) element.scrollTop = y - element.clientHeight / 2;
  }, [at, all, shown]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'f' && !(event.target as Element).closest?.('.cm-editor')) {
        finder.current?.focus();
        finder.current?.select();
        event.preventDefault();
      }
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);

  const first = Math.max(0, Math.floor(top / LINE) - 20), last = Math.min(all.length + 1, Math.ceil((top + height) / LINE) + 20);
  const next = (back: boolean) => {
    const word = find.toLowerCase();
    if (!word) return;
    const matches = (index: number) => {
      const step = all[index];
      return step && `${step.name} ${step.statement} ${(step.said ?? []).join(' ')} ${step.line}`.toLowerCase().includes(word);
    };
    for (let by = 1; by <= all.length; by += 1) {
      const index = (at - 1 + (back ? -by : by) + all.length * 2) % all.length;
      if (matches(index)) { void act({ do: 'go', position: index + 1 }); return; }
    }
  };
  const copies = (number: number): [string, () => void][] => {
    const step = all[number - 1];
    const whole: [string, () => void] = ['Copy all steps as text', () => void exported('text').then(text => text && copy(text.text, 'Run'))];
    return step ? [['Copy step', () => void copy(textOf(step, number), 'Step')], whole] : [whole];
  };
  const rows = [];
  for (let index = first; index < last; index += 1) {
    const number = index;
    const step = number === 0 ? null : all[number - 1];
    const repeats = loopFrom.value !== null && number > loopFrom.value;
    const bracket = !step ? '' : step.continues && step.holds ? '│' : step.holds ? '╭' : step.continues ? '╰' : '';
    rows.push(
      <div key={number} role="option" id={`step-${number}`} aria-selected={number === at} style={{ top: `${number * LINE}px` }}
        class={`row ${number === at ? 'here' : ''} ${number > at ? 'later' : ''} ${step?.failure ? 'wrong' : ''} ${repeats ? 'repeats' : ''}`}
        title={step ? textOf(step, number) : 'the initial state'}
        onClick={() => void act({ do: 'go', position: number })}
        onContextMenu={event => menu(event, copies(number))}>
        <span class="number">{number === 0 ? '·' : number}</span>
        <span class="bracket">{bracket}</span>
        {step ? <><span class="who">{step.name}</span><span class="what">{step.failure ? '✗ ' : ''}{step.statement}{step.message !== undefined && <span class="quiet"> ({step.message})</span>}{step.partner ? ` → ${step.partner}` : ''}</span></>
          : <span class="what quiet">initial state</span>}
      </div>,
    );
  }
  const run = branches.value[branch.value];
  return (
    <Panel name="trace" title="Trace" label="Trace" onShow={() => show(times => times + 1)} tools={<>
      <input ref={finder} class="find" type="search" placeholder="Find" aria-label="Find a step (Ctrl-F)" title="Find a step (Ctrl-F), Enter for the next" value={find}
        onInput={event => setFind(event.currentTarget.value)}
        onKeyDown={event => { if (event.key === 'Enter') { next(event.shiftKey); event.preventDefault(); } }} />
      {canStep.value && <button title="Save the steps taken as a scenario" onClick={() => void exported('scenario').then(file => file && download(file.name, file.text))}>Scenario</button>}
    </>}>
      {branches.value.length > 1 && (
        <div class="branches">
          <label>Run <select value={String(branch.value)} onChange={event => void act({ do: 'branch', number: Number(event.currentTarget.value) })}>
            {branches.value.map((one, number) => (
              <option key={number} value={String(number)}>
                {`${one.violated ? '✗ ' : ''}${one.name}, ${one.length} steps${one.parent !== null && one.fork > 0 ? `, left ${branches.value[one.parent]?.name} after ${one.fork}` : ''}`}
              </option>))}
          </select></label>
        </div>)}
      <div class="list" ref={list} role="listbox" tabIndex={0} aria-label="Steps" aria-activedescendant={`step-${at}`}
        onKeyDown={event => { if (asksForMenu(event)) menu(event, copies(at)); }} onScroll={event => setTop(event.currentTarget.scrollTop)}>
        <div style={{ height: `${(all.length + 1) * LINE}px`, position: 'relative' }}>{rows}</div>
      </div>
      <Next />
      <span class="unseen" role="status" aria-live="polite">{`step ${at} of ${run?.length ?? 0}`}</span>
    </Panel>
  );
}

/** What can happen, and why the rest cannot. */
function Next() {
  const names = new Map(state.value?.processes.map(process => [process.process, process]) ?? []);
  const end = {
    open: null,
    end: 'Nothing can happen any more, and nothing has to.',
    deadlock: '✗ Nothing can happen any more: deadlock.',
    nonprogress: '✗ Nothing can happen any more, and messages are left.',
    failed: program.value ? '✗ The execution ends here.' : '✗ The last step leads nowhere.',
  }[ending.value];
  const last = steps.value[position.value - 1];
  return (
    <div class="next" role="group" aria-label="Next steps">
      <h3>Next</h3>
      {program.value?.command === '' && (
        <p class="quiet">An execution inside a test. It is repeated there, by <code>MAZURKA_SCHEDULE</code>.</p>)}
      {program.value?.command && !program.value.runs && (
        <p class="quiet">A scenario of a real program. <button class="run" title={`Run ${program.value.command}`} onClick={() => void act({ do: 'start' })}>Run the program</button> to step it: <code>{program.value.command}</code></p>)}
      {/* Why it fails is said beside the values; a step by hand that fails is told of here. */}
      {isAtFailure.value ? !end && loopFrom.value === null && <p class="wrong">✗ It fails here.</p> : last?.failure && <p class="wrong">✗ {last.failure}</p>}
      {end && <p class={ending.value === 'end' ? 'quiet' : 'wrong'}>{end}</p>}
      {choices.value.map((choice, number) => (
        <button key={number} class="choice" onClick={() => void act({ do: 'take', choice: number })}
          title={`${choice.name}, line ${choice.line}: ${choice.statement}${number < 9 ? ` (key ${number + 1})` : ''}`}>
          <kbd>{number < 9 ? number + 1 : ' '}</kbd><span class="who">{choice.name}</span>
          <span class="what">{choice.statement}{choice.message !== undefined && <span class="quiet"> ({choice.message})</span>}{choice.partner ? ` → ${choice.partner}` : ''}</span>
        </button>))}
      {byType(waiting.value.filter(one => one.statements.length > 0), one => names.get(one.process)?.name ?? '').map(([kind, all]) => {
        const each = () => all.map(one => <Waits key={one.process} one={one} process={names.get(one.process)} open={waiting.value.length <= 6} />);
        return all.length > MANY ? <Many key={kind} title={`${all.length} ${kind} wait`}>{each}</Many> : each();
      })}
    </div>
  );
}

function Waits(props: { one: Waiting; process: ProcessAt | undefined; open: boolean }) {
  const { one, process } = props;
  return (
    <details class="waits" open={props.open}>
      <summary onDblClick={() => { chosen.value = one.process; }}>{process?.name ?? one.process} waits{process?.may_end ? ' (may end here)' : ''}</summary>
      {one.statements.map((statement, index) => (
        <p key={index}><code>{statement.statement}</code> <span class="quiet">{statement.reason}</span></p>))}
    </details>
  );
}
