// Automata of processes, and the states around the present one.
import { useEffect, useRef, useState } from 'preact/hooks';
import { act, ask, complain, current, have, locations, nodes, opened, position, revision } from './store';
import type { Graph } from './types';

/** A picture that comes drawn; the nodes that are named are marked. */
function Picture(props: { graph: Graph; here: (number | null | undefined)[]; label: string; onPick?: (node: number) => void }) {
  const svg = useRef<SVGSVGElement>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const [room, setRoom] = useState<[number, number] | null>(null);
  const [aimed, aim] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const { graph } = props;
  // All of it if it can be read then, else a part.
  const fit = room ? Math.min(1, Math.max(0.65, Math.min(room[0] / graph.width, room[1] / graph.height))) : 1;
  const scale = zoom ?? fit;
  const marked = props.here.filter((node): node is number => node !== null && node !== undefined);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => setRoom([element.clientWidth, element.clientHeight]));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => { if (svg.current) svg.current.innerHTML = graph.svg; aim(null); }, [graph]);
  const bring = (node: number | undefined) => {
    const place = node === undefined ? undefined : graph.places[node], view = box.current;
    if (!place || !view) return;
    const [x, y] = [place[0] * scale, place[1] * scale];
    if (x < view.scrollLeft + 40 || x > view.scrollLeft + view.clientWidth - 40) view.scrollLeft = x - view.clientWidth / 2;
    if (y < view.scrollTop + 20 || y > view.scrollTop + view.clientHeight - 20) view.scrollTop = y - view.clientHeight / 2;
  };
  const mark = (name: string, nodes: number[]) => {
    for (const old of svg.current?.querySelectorAll(`.n.${name}`) ?? []) old.classList.remove(name);
    for (const node of nodes) svg.current?.querySelector(`[data-node="${node}"]`)?.classList.add(name);
  };
  useEffect(() => { mark('here', marked); bring(marked[0]); }, [graph, marked.join(), scale]);
  useEffect(() => { mark('aimed', aimed === null ? [] : [aimed]); if (aimed !== null) bring(aimed); }, [aimed]);
  /** The nearest node in a direction. */
  const aimAt = (dx: number, dy: number) => {
    const from = graph.places[aimed ?? marked[0] ?? 0];
    if (!from) return;
    let best: number | null = null, least = Infinity;
    graph.places.forEach(([x, y], node) => {
      const along = (x - from[0]) * dx + (y - from[1]) * dy, across = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
      if (along > 1 && along + 2 * across < least) { best = node; least = along + 2 * across; }
    });
    if (best !== null) aim(best);
  };
  const keys = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!props.onPick || event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) aimAt(direction[0] as number, direction[1] as number);
    else if (event.key === 'Enter' && aimed !== null) props.onPick(aimed);
    else return;
    event.preventDefault();
  };
  const told = aimed === null ? '' : svg.current?.querySelector(`[data-node="${aimed}"]`)?.textContent ?? '';
  return (
    <div class="picture">
      <div class="zoom">
        <button title="All of it, as far as it can be read" onClick={() => setZoom(null)}>Fit</button>
        <button title="Zoom out" aria-label="Zoom out" onClick={() => setZoom(Math.max(0.2, scale - 0.15))}>−</button>
        <button title="Zoom in" aria-label="Zoom in" onClick={() => setZoom(Math.min(2, scale + 0.15))}>+</button>
      </div>
      <div class="scroll" ref={box} tabIndex={0} role="group" aria-label={props.onPick ? `${props.label}: arrow keys aim at a state, Enter goes there` : props.label} onKeyDown={keys}>
        <svg class={`mz ${props.onPick ? 'pick' : ''}`} ref={svg} role="img" aria-label={props.label} width={graph.width * scale} height={graph.height * scale} viewBox={`0 0 ${graph.width} ${graph.height}`}
          onClick={event => {
            const node = (event.target as Element).closest('[data-node]')?.getAttribute('data-node');
            if (node && props.onPick) props.onPick(Number(node));
          }} />
      </div>
      <span class="unseen" role="status" aria-live="polite">{told}</span>
    </div>
  );
}

export function Automaton() {
  const [graph, set] = useState<{ kind: string; graph: Graph } | null>(null);
  const [wrong, setWrong] = useState('');
  const located = locations.value.find(one => one.process === current.value);
  const kind = located?.kind ?? opened.value?.kinds[0];
  useEffect(() => {
    if (!kind) return;
    let stale = false;
    ask<Graph>('automaton', { text: kind }).then(
      got => { if (!stale) { set({ kind, graph: got }); setWrong(''); } },
      error => { if (!stale) { set(null); setWrong(String(error.message)); } });
    return () => { stale = true; };
  }, [kind, revision.value]);
  if (!graph) return <p class="quiet pad">{wrong || (opened.value?.subject === 'program' ? 'A real program has no automaton.' : 'Loading…')}</p>;
  const all = locations.value.filter(one => one.kind === graph.kind);
  const mine = all.find(one => one.process === current.value) ?? all[0];
  const here = mine ? [graph.graph.locations.indexOf(mine.location)] : [];
  return (
    <div class="graphs"><p class="caption">{graph.kind}{mine ? `, process ${mine.process}` : ''}</p>
      <Picture graph={graph.graph} here={here} label={`Automaton of ${graph.kind}`} />
    </div>
  );
}

const REDUCTIONS = ['none', 'stubborn', 'persistent', 'ample', 'simultaneous'];

export function Space() {
  const [states, setStates] = useState(60);
  const [reduce, setReduce] = useState('none');
  const [beside, setBeside] = useState(false);
  const [fromStart, setFromStart] = useState(false);
  const [full, setFull] = useState<Graph | null>(null);
  const [reduced, setReduced] = useState<Graph | null>(null);
  const [asked, setAsked] = useState(-1);
  const load = async () => {
    const wanted = { states, from_start: fromStart };
    try {
      const whole = await ask<Graph>('graph', { ...wanted, have: have(), reduce, left_out: reduce !== 'none', slot: 0 });
      const part = beside && reduce !== 'none' ? await ask<Graph>('graph', { ...wanted, have: have(), reduce, left_out: false, slot: 1 }) : null;
      setFull(whole);
      setReduced(part);
      setAsked(position.value);
      await act({ do: 'look' });
    } catch (error) { complain(error); }
  };
  useEffect(() => { if (opened.value?.subject === 'model') void load(); }, [states, reduce, beside, fromStart, revision.value]);
  if (opened.value?.subject === 'program') return <p class="quiet pad">The states of a real program are not known.</p>;
  const inSight = nodes.value[0] !== null && nodes.value[0] !== undefined;
  return (
    <div class="graphs">
      <div class="bar">
        <label>States <select aria-label="Which states" value={fromStart ? 'start' : 'here'} onChange={event => setFromStart(event.currentTarget.value === 'start')}>
          <option value="here">around the present state</option><option value="start">from the initial state</option></select></label>
        <label>up to <select value={String(states)} onChange={event => setStates(Number(event.currentTarget.value))}>
          {[20, 60, 150, 400].map(count => <option key={count} value={String(count)}>{count}</option>)}</select></label>
        <label>Reduction <select value={reduce} onChange={event => setReduce(event.currentTarget.value)}>
          {REDUCTIONS.map(name => <option key={name}>{name}</option>)}</select></label>
        {reduce !== 'none' && <label><input type="checkbox" checked={beside} onChange={event => setBeside(event.currentTarget.checked)} /> beside each other</label>}
        {!fromStart && (!inSight || asked !== position.value) && <button onClick={() => void load()}>Centre here</button>}
        {full && <span class="quiet">{reduce === 'none' ? `${full.states} state${full.states === 1 ? '' : 's'}` : `${full.kept} of ${full.states} states are left`}{full.complete ? '' : ', more beyond …'}</span>}
      </div>
      <div class={reduced ? 'pair' : 'single'}>
        {full && <Picture graph={full} here={[nodes.value[0]]} label="State space" onPick={number => void act({ do: 'node', number, slot: 0 })} />}
        {reduced && <Picture graph={reduced} here={[nodes.value[1]]} label={`State space under ${reduce}`} onPick={number => void act({ do: 'node', number, slot: 1 })} />}
      </div>
    </div>
  );
}
