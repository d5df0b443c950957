// What there is: processes, variables, queues, watched expressions, and why it went wrong.
import { useEffect, useRef, useState } from 'preact/hooks';
import { MANY, Many, Panel, Plot, bringIntoSight, byType } from './panel';
import { act, changes, chosen, circle, current, explain, explanation, involved, isAtFailure, loopFrom, position, program, stacks, state, steps, told, violation, watch, watches } from './store';
import type { ProcessAt } from './types';

export function Values() {
  return (
    <Panel name="values" title="Values" label="Values">
      <div class="scroll">
        <Why />
        <Circle />
        <Watches />
        <Variables />
        <Processes />
      </div>
    </Panel>
  );
}

function Why() {
  const wrong = violation.value;
  if (!wrong) return null;
  const why = explanation.value, at = position.value;
  // Of a long run, what is near the cursor.
  const first = Math.max(0, Math.min(at - 12, steps.value.length - 24)), last = Math.min(steps.value.length, first + 24);
  return (
    <div class="why" role="group" aria-label="Violation">
      <p class="wrong">✗ {told(wrong)}</p>
      {!isAtFailure.value && <p><button onClick={() => void act({ do: 'go', position: steps.value.length })}>Go to where it fails</button></p>}
      {!program.value && !why && <p><button onClick={() => void explain()}>Explain</button></p>}
      {why && <>
        {why.lines.map((line, index) => <p key={index} class={index === 0 && why.atoms.length ? 'formula' : ''}>{line}</p>)}
        {why.atoms.length > 0 && (
          <div class="atoms" role="group" aria-label="Conditions of the formula along the run">
            {why.atoms.map((atom, row) => (
              <div key={row}><code title={atom.text}>{atom.text}</code>
                <span class="cells">{atom.values.slice(first, last + 1).map((value, index) => {
                  const number = first + index;
                  return (
                    <button key={number} class={`cell ${value === null ? 'none' : value ? 'true' : 'false'} ${number === at ? 'here' : ''} ${loopFrom.value !== null && number >= loopFrom.value ? 'repeats' : ''}`}
                      title={`after ${number} steps: ${value === null ? 'no value' : value}`} aria-label={`after ${number} steps: ${value === null ? 'no value' : value}`}
                      onClick={() => void act({ do: 'go', position: number })}>{value === null ? '?' : value ? '●' : '○'}</button>);
                })}</span>
              </div>))}
            <p class="quiet">after steps {first} to {last}; ● true, ○ false</p>
          </div>)}
      </>}
    </div>
  );
}

/** Who waits for whom, and at last for the first. */
function Circle() {
  const [first, ...rest] = circle.value;
  if (first === undefined) return null;
  const name = (number: number) => state.value?.processes.find(process => process.process === number)?.name ?? String(number);
  const look = (number: number) => <button class="plain who" title="Look at this process" onClick={() => { chosen.value = number; }}>{name(number)}</button>;
  return (
    <div class="circle" role="group" aria-label="Circle of waiting">
      <h3>A circle</h3>
      <p>{look(first)}{[...rest, first].map((number, index) => (
        <span key={index}>{index === 0 ? ' waits for ' : ', which waits for '}{rest.length ? look(number) : 'itself'}</span>))}</p>
    </div>
  );
}

function Watches() {
  const [text, setText] = useState('');
  const all = watches.value.map(one => one.expression);
  // Of a real program, objects are watched: nobody knows how to read expressions of its language.
  const objects = program.value ? state.value?.variables.map(one => one.name).filter(name => !all.includes(name)) ?? [] : [];
  if (program.value && !objects.length && !all.length) return null;
  return (
    <div class="watches" role="group" aria-label="Watched expressions">
      <h3>Watch</h3>
      {watches.value.map(one => (
        <div class="watch" key={one.expression}>
          <code title={one.expression}>{one.expression}</code>
          <span class={one.error ? 'quiet' : 'value'} title={one.error ?? one.text ?? ''}>{one.error ?? one.text ?? one.value}</span>
          <Plot values={one.values} at={position.value - one.from} label={one.expression} words={one.words} width={100} stairs />
          <button class="plain" title="Stop watching" aria-label={`Stop watching ${one.expression}`} onClick={() => void watch(all.filter(other => other !== one.expression))}>×</button>
        </div>))}
      {program.value ? objects.length > 0 && <select aria-label="Object to watch" value="" onChange={event => { if (event.currentTarget.value) void watch([...all, event.currentTarget.value]); }}>
        <option value="">watch an object along the run…</option>
        {objects.map(name => <option key={name} value={name}>{name}</option>)}
      </select> : <form onSubmit={event => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted && !all.includes(wanted)) void watch([...all, wanted]);
        setText('');
      }}>
        <input placeholder="expression, such as x + 1" aria-label="Expression to watch" value={text} onInput={event => setText(event.currentTarget.value)} />
        <button>Watch</button>
      </form>}
    </div>
  );
}

/** An array is one row. */
function folded(variables: { name: string; value: string }[]): { name: string; values: string[] }[] {
  const rows: { name: string; values: string[] }[] = [];
  for (const variable of variables) {
    const element = /^(.*)\[(\d+)\]$/.exec(variable.name);
    const last = rows[rows.length - 1];
    if (element && last && last.name === element[1] && Number(element[2]) === last.values.length) last.values.push(variable.value);
    else if (element && element[2] === '0') rows.push({ name: element[1] as string, values: [variable.value] });
    else rows.push({ name: variable.name, values: [variable.value] });
  }
  return rows;
}

function Variables() {
  const now = state.value;
  if (!now) return null;
  const changed = new Map(changes.value.map(change => [change.name, change.old]));
  const locals = now.processes.map(process => `${process.name}.`);
  const shared = now.variables.filter(variable => !locals.some(local => variable.name.startsWith(local)));
  return (
    <div role="group" aria-label="Shared variables and channels">
      {shared.length > 0 && <h3>{program.value ? 'Objects' : 'Shared'}</h3>}
      {shared.length > 0 && <Table variables={shared} changed={changed} strip="" />}
      {now.channels.length > 0 && <h3>Channels</h3>}
      {now.channels.map(channel => {
        const old = changed.get(channel.name);
        const room = Math.max(0, Math.min(channel.capacity, 12) - channel.messages.length);
        return (
          <div class={`queue ${changed.has(channel.name) ? 'changed' : ''}`} key={channel.name} title={old !== undefined && old !== null ? `was ${old}` : ''}>
            <span class="name">{changed.has(channel.name) && <span class="mark" aria-label="changed">●</span>}{channel.name}</span>
            <span class="slots" role="img" aria-label={`${channel.messages.length} of ${channel.capacity}: ${channel.messages.join(', ')}`}>
              {channel.messages.map((message, index) => <span class="slot full" key={index}>{message}</span>)}
              {Array.from({ length: room }, (_, index) => <span class="slot" key={`free ${index}`} />)}
            </span>
            <span class="quiet">{channel.messages.length} of {channel.capacity}</span>
          </div>);
      })}
    </div>
  );
}

function Table(props: { variables: { name: string; value: string }[]; changed: Map<string, string | null>; strip: string }) {
  return (
    <table class="variables"><tbody>
      {folded(props.variables).map(row => {
        const names = row.values.length > 1 || props.changed.has(`${row.name}[0]`) ? row.values.map((_, index) => `${row.name}[${index}]`) : [row.name];
        const isChanged = names.some(name => props.changed.has(name)), isArray = row.values.length > 1;
        return (
          <tr key={row.name} class={isChanged ? 'changed' : ''}>
            <td>{isChanged && <span class="mark" aria-label="changed">●</span>}{row.name.slice(props.strip.length)}</td>
            <td class="value">{isArray && '['}{row.values.map((value, index) => {
              const name = names[index] ?? '', old = props.changed.get(name);
              return <span key={index}>{index > 0 && ', '}{props.changed.has(name) ? <span class="new" title={old === null ? 'new' : `was ${old}`}>{!isArray && old !== null && <><s>{old}</s> </>}{value}</span> : value}</span>;
            })}{isArray && ']'}</td>
          </tr>);
      })}
    </tbody></table>
  );
}

function Processes() {
  const now = state.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector('.here'), box = list.current?.closest('.scroll');
    if (here && box) bringIntoSight(here, box);
  }, [current.value]);
  if (!now) return <Actors />;
  const changed = new Map(changes.value.map(change => [change.name, change.old]));
  return (
    <div ref={list} role="group" aria-label="Processes">
      {now.processes.length > 0 && <h3>{program.value ? 'Actors' : 'Processes'}</h3>}
      {byType(now.processes, process => process.name).map(([kind, all]) => {
        const each = (some: ProcessAt[]) => some.map(process => <Process key={process.process} process={process} changed={changed} />);
        if (all.length <= MANY) return each(all);
        // The one that is looked at is in sight.
        return <div key={kind}>{each(all.filter(process => process.process === current.value))}<Many title={`${all.length} ${kind}`}>{() => each(all)}</Many></div>;
      })}
      <Involved besides={now.processes.map(process => process.process)} />
    </div>
  );
}

function Process(props: { process: ProcessAt; changed: Map<string, string | null> }) {
  const { process, changed } = props;
  // A name that has a space is not the user's: it is how a notation is carried out.
  const own = state.value?.variables.filter(variable => variable.name.startsWith(`${process.name}.`) && !variable.name.slice(process.name.length).includes(' ')) ?? [];
  const here = process.process === current.value;
  const stack = stacks.value.find(one => one.process === process.process)?.functions ?? [];
  return (
    <div class={`process ${here ? 'here' : ''}`}>
      <button class="plain name" aria-pressed={here} title="Look at this process" onClick={() => { chosen.value = process.process; }}>
        {process.name} <span class="quiet">{process.state ? `in ${process.state}` : process.at.line ? `line ${process.at.line}` : ''}{process.holds ? ', holds control' : ''}{process.may_end ? ', may end' : ''}</span>
      </button>
      <Stack name={process.name} functions={stack} />
      {own.length > 0 && <Table variables={own} changed={changed} strip={`${process.name}.`} />}
    </div>
  );
}

/** Of a real program, who takes part and what each did last. */
function Actors() {
  const last = new Map<string, { statement: string; line: number; file: string; process: number }>();
  for (const step of steps.value.slice(0, position.value)) last.set(step.name, step);
  return (
    <div role="group" aria-label="Actors">
      <h3>Actors</h3>
      {[...last].map(([name, step]) => (
        <div key={name} class={`process ${step.process === current.value ? 'here' : ''}`}>
          <button class="plain name" onClick={() => { chosen.value = step.process; }}>{name} <span class="quiet">{step.line ? `line ${step.line}` : ''}</span></button>
          <p><code>{step.statement}</code></p>
        </div>))}
      <Involved besides={[...last.values()].map(step => step.process)} />
    </div>
  );
}

/** Those that did what went wrong and stand nowhere any more. */
function Involved(props: { besides: number[] }) {
  return <>{involved.value.filter(one => !props.besides.includes(one.process)).map(one => (
    <div key={one.process} class="process involved">
      <span class="name">{one.name} <span class="quiet">line {one.line}, where it fails</span></span>
      <Stack name={one.name} functions={one.functions} />
    </div>))}</>;
}

function Stack(props: { name: string; functions: string[] }) {
  if (!props.functions.length) return null;
  return <ol class="stack" aria-label={`Stack of ${props.name}, the inner functions first`}>{props.functions.map((line, index) => <li key={index} title={line}>{line.replace(/ at .*\//, ' at ')}</li>)}</ol>;
}
