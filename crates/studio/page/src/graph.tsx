// Automata of processes, and the states around the present one.
import { useEffect, useRef, useState } from 'preact/hooks';
import { act, ask, complain, current, locations, nodes, opened, position, revision } from './store';
import type { Graph } from './types';

/** A picture that comes drawn; the nodes that are named are marked. */
function Picture(props: { graph: Graph; here: (number | null | undefined)[]; label: string; onPick?: (node: number) => void }) {
  const svg = useRef<SVGSVGElement>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const { graph } = props;
  useEffect(() => { if (svg.current) svg.current.innerHTML = graph.svg; }, [graph]);
  useEffect(() => {
    const picture = svg.current;
    if (!picture) return;
    for (const old of picture.querySelectorAll('.n.here')) old.classList.remove('here');
    const marked = props.here.filter((node): node is number => node !== null && node !== undefined);
    for (const node of marked) picture.querySelector(`[data-node="${node}"]`)?.classList.add('here');
    const place = marked.length ? graph.places[marked[0] as number] : undefined, view = box.current;
    if (place && view) {
      const [x, y] = [place[0] * scale, place[1] * scale];
      if (x < view.scrollLeft || x > view.scrollLeft + view.clientWidth) view.scrollLeft = x - view.clientWidth / 2;
      if (y < view.scrollTop || y > view.scrollTop + view.clientHeight) view.scrollTop = y - view.clientHeight / 2;
    }
  }, [graph, props.here.join(), zoom]);
  // All of it if it can be read then, else a part.
  const fit = box.current ? Math.min(1, Math.max(0.55, Math.min(box.current.clientWidth / graph.width, box.current.clientHeight / graph.height))) : 1;
  const scale = zoom ?? fit;
  return (
    <div class="picture">
      <div class="zoom">
        <button title="Zoom out" aria-label="Zoom out" onClick={() => setZoom(Math.max(0.2, scale - 0.15))}>−</button>
        <button title="Zoom in" aria-label="Zoom in" onClick={() => setZoom(Math.min(2, scale + 0.15))}>+</button>
      </div>
      <div class="scroll" ref={box} tabIndex={0}>
        <svg class={`mz ${props.onPick ? 'pick' : ''}`} ref={svg} role="img" aria-label={props.label} width={graph.width * scale} height={graph.height * scale} viewBox={`0 0 ${graph.width} ${graph.height}`}
          onClick={event => {
            const node = (event.target as Element).closest('[data-node]')?.getAttribute('data-node');
            if (node && props.onPick) props.onPick(Number(node));
          }} />
      </div>
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
      const whole = await ask<Graph>('graph', { ...wanted, reduce, left_out: reduce !== 'none', slot: 0 });
      const part = beside && reduce !== 'none' ? await ask<Graph>('graph', { ...wanted, reduce, left_out: false, slot: 1 }) : null;
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
        <label>From <select value={fromStart ? 'start' : 'here'} onChange={event => setFromStart(event.currentTarget.value === 'start')}>
          <option value="here">the present state</option><option value="start">the initial state</option></select></label>
        <label>States <select value={String(states)} onChange={event => setStates(Number(event.currentTarget.value))}>
          {[20, 60, 150, 400].map(count => <option key={count} value={String(count)}>{count}</option>)}</select></label>
        <label>Reduction <select value={reduce} onChange={event => setReduce(event.currentTarget.value)}>
          {REDUCTIONS.map(name => <option key={name}>{name}</option>)}</select></label>
        {reduce !== 'none' && <label><input type="checkbox" checked={beside} onChange={event => setBeside(event.currentTarget.checked)} /> beside each other</label>}
        {!fromStart && (!inSight || asked !== position.value) && <button onClick={() => void load()}>Centre here</button>}
        {full && <span class="quiet">{reduce === 'none' ? `${full.states} states` : `${full.kept} of ${full.states} states are left`}{full.complete ? '' : ', more beyond …'}</span>}
      </div>
      <div class={reduced ? 'pair' : 'single'}>
        {full && <Picture graph={full} here={[nodes.value[0]]} label="State space" onPick={number => void act({ do: 'node', number, slot: 0 })} />}
        {reduced && <Picture graph={reduced} here={[nodes.value[1]]} label={`State space under ${reduce}`} onPick={number => void act({ do: 'node', number, slot: 1 })} />}
      </div>
    </div>
  );
}
