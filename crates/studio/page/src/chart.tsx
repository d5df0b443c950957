// The message sequence chart. Its pieces come drawn; only those in sight are in the document.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Panel, asksForMenu, byType, menu } from './panel';
import { act, chart, copy, download, exported, moved, opened, position, setChart, steps } from './store';
import type { Row } from './types';

/** The first row that ends below a height. */
function rowAt(rows: Row[], y: number): number {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as Row;
    if (row.y + row.height <= y) low = middle + 1; else high = middle;
  }
  return low;
}

export function Chart() {
  const scroll = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const head = useRef<SVGSVGElement>(null);
  const cursor = useRef<SVGRectElement | null>(null);
  const shown = useRef({ from: 0, to: 0, version: -1, rows: -1, zoom: 0 });
  const [zoom, setZoom] = useState(1);
  const [times, show] = useState(0);
  const room = useRef(0);
  const drawn = chart.value, at = position.value;
  const byStep = useMemo(() => new Map(drawn?.rows.map(row => [row.step, row]) ?? []), [drawn?.rows]);

  const mark = () => {
    const row = byStep.get(position.value), bar = cursor.current;
    if (!bar) return;
    bar.setAttribute('visibility', row ? 'visible' : 'hidden');
    if (row) { bar.setAttribute('y', String(row.y)); bar.setAttribute('height', String(row.height)); }
  };
  const draw = (force: boolean) => {
    const box = scroll.current, picture = svg.current, now = chart.value;
    if (!box || !picture || !now) return;
    const top = box.scrollTop / zoom, bottom = (box.scrollTop + box.clientHeight) / zoom;
    const old = shown.current;
    if (!force && top >= old.from && bottom <= old.to) return;
    // A screen more on either side.
    const from = Math.max(0, Math.floor(top - (bottom - top))), to = Math.min(now.height, Math.ceil(bottom + (bottom - top)));
    shown.current = { from, to: to === now.height ? Infinity : to, version: now.version, rows: now.rows.length, zoom };
    if (from === 0) shown.current.from = -1;
    const height = Math.max(1, to - from);
    picture.setAttribute('viewBox', `0 ${from} ${now.width} ${height}`);
    picture.setAttribute('width', String(now.width * zoom));
    picture.setAttribute('height', String(height * zoom));
    picture.style.top = `${from * zoom}px`;
    const pieces: string[] = [`<rect class="cursor" x="0" width="${now.width}" height="0" y="0"/>`];
    for (const column of now.columns) for (const [begin, end] of column.lives) {
      const a = Math.max(begin, from), b = Math.min(end ?? now.height, to);
      if (a < b) pieces.push(`<line class="life" x1="${column.x}" x2="${column.x}" y1="${a}" y2="${b}"/>`);
    }
    for (const stretch of now.stretches) if (stretch.to >= from && stretch.from <= to) pieces.push(stretch.svg);
    for (let index = rowAt(now.rows, from); index < now.rows.length; index += 1) {
      const row = now.rows[index] as Row;
      if (row.y > to) break;
      pieces.push(row.svg);
    }
    if (now.frame && now.frame.to >= from && now.frame.from <= to) pieces.push(now.frame.svg);
    // Drawn and escaped by the server; the policy of the page lets no script in.
    picture.innerHTML = pieces.join('');
    cursor.current = picture.querySelector('.cursor');
    mark();
  };
  useEffect(() => draw(true), [drawn, zoom, times]);
  useEffect(() => {
    if (head.current && drawn) head.current.innerHTML = drawn.header;
  }, [drawn?.header, drawn?.width, times]);
  useEffect(() => {
    const box = scroll.current;
    if (!box) return;
    const watcher = new ResizeObserver(() => {
      if (box.clientHeight !== room.current) follow();
      room.current = box.clientHeight;
      draw(true);
    });
    watcher.observe(box);
    return () => watcher.disconnect();
  });
  /** The cursor stays in sight. */
  const follow = () => {
    const box = scroll.current, row = byStep.get(at);
    if (box && !row && at === 0) box.scrollTop = 0;
    if (box && row) {
      const y = row.y * zoom, bottom = (row.y + row.height) * zoom, names = (drawn?.header_height ?? 0) * zoom;
      if (y < box.scrollTop + names || bottom > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight * 0.6;
      // So does the lifeline of who moves, and the numbers of the steps if there is room for both.
      const mover = steps.value[at - 1]?.process, column = drawn?.columns.find(one => mover !== undefined && one.processes.includes(mover));
      const x = (column?.x ?? 0) * zoom, around = 70 * zoom;
      if (column && x + around <= box.clientWidth) box.scrollLeft = 0;
      else if (column && x - around < box.scrollLeft) box.scrollLeft = x - box.clientWidth / 2;
      else if (column && x + around > box.scrollLeft + box.clientWidth) box.scrollLeft = x - box.clientWidth / 2;
    }
    return row;
  };
  // A message that has just arrived is seen to travel.
  useEffect(() => {
    const row = follow();
    draw(false);
    mark();
    if (row && moved.value === 'forward') travel(row);
  }, [at, drawn, zoom, times]);

  const travel = (row: Row) => {
    const picture = svg.current, now = chart.value;
    if (!picture || !now || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const arrows = now.stretches.filter(one => one.to >= row.y && one.to <= row.y + row.height).map(one => one.svg).concat(row.svg);
    for (const text of arrows) {
      const line = /class="arrow[^"]*" x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"/.exec(text);
      if (!line) continue;
      const [x1, y1, x2, y2] = line.slice(1).map(Number) as [number, number, number, number];
      const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
      dot.setAttribute('r', '4');
      dot.setAttribute('class', 'tip');
      dot.setAttribute('cx', String(x1));
      dot.setAttribute('cy', String(y1));
      picture.append(dot);
      dot.animate([{ transform: 'translate(0,0)' }, { transform: `translate(${x2 - x1}px,${y2 - y1}px)` }], { duration: 150 }).onfinish = () => dot.remove();
      return;
    }
  };
  const fit = () => {
    const width = chart.value?.width, room = scroll.current?.clientWidth;
    if (width && room) setZoom(Math.min(1, Math.max(0.4, room / width)));
  };
  const pick = (event: MouseEvent) => {
    const box = scroll.current, now = chart.value;
    if (!box || !now || getSelection()?.toString()) return;
    const y = (event.clientY - box.getBoundingClientRect().top + box.scrollTop) / zoom;
    const row = now.rows[rowAt(now.rows, y)];
    if (row && y >= row.y) void act({ do: 'go', position: row.step });
  };
  const many = byType(drawn?.columns ?? [], column => column.name).filter(([kind, all]) => all.length > 1 || drawn?.options.folded.includes(kind)).map(([kind]) => kind);
  const folded = drawn?.options.folded ?? [];
  return (
    <Panel name="chart" title="Message sequence chart" label="Message sequence chart" onShow={() => show(before => before + 1)} tools={<>
      {many.map(kind => (
        <button key={kind} aria-pressed={folded.includes(kind)} title={`One lifeline for all ${kind}`}
          onClick={() => void setChart(folded.includes(kind) ? folded.filter(other => other !== kind) : [...folded, kind], drawn?.options.filter ?? '')}>
          {folded.includes(kind) ? 'Unfold' : 'Fold'} {kind}
        </button>))}
      <input class="find" type="search" placeholder="Filter" aria-label="Show only steps with" title="Show only steps in which this occurs" value={drawn?.options.filter ?? ''}
        onChange={event => void setChart(folded, event.currentTarget.value)} />
      <button title="All lifelines in sight" onClick={fit}>Fit</button>
      <button title="Zoom out" aria-label="Zoom out" onClick={() => setZoom(Math.max(0.4, zoom - 0.2))}>−</button>
      <button title="Zoom in" aria-label="Zoom in" onClick={() => setZoom(Math.min(2, zoom + 0.2))}>+</button>
      <button title="Save the chart as a picture" onClick={() => void exported('svg').then(file => file && download(file.name, file.text))}>SVG</button>
    </>}>
      <div class="scroll" ref={scroll} tabIndex={0} role="figure" aria-label={describe()} onScroll={() => draw(false)} onClick={pick}
        onContextMenu={event => menu(event, copies)} onKeyDown={event => { if (asksForMenu(event)) menu(event, copies); }}>
        <div class="sheet" style={{ width: `${(drawn?.width ?? 0) * zoom}px`, height: `${(drawn?.height ?? 0) * zoom}px` }}>
          <svg class="mz body" ref={svg} aria-hidden="true" />
          <svg class="mz names" ref={head} aria-hidden="true" width={(drawn?.width ?? 0) * zoom} height={(drawn?.header_height ?? 0) * zoom} viewBox={`0 0 ${drawn?.width ?? 1} ${drawn?.header_height ?? 1}`} />
        </div>
      </div>
    </Panel>
  );
}

const copies: [string, () => void][] = [
  ['Copy chart as SVG', () => void exported('svg').then(file => file && copy(file.text, 'Chart'))],
  ['Copy chart as Mermaid', () => void exported('mermaid').then(file => file && copy(file.text, 'Chart'))],
];

/** For those who do not see it. */
function describe(): string {
  const step = steps.value[position.value - 1];
  const where = step ? `at step ${position.value}: ${step.name}, ${step.statement}${step.said?.length ? `, ${step.said.join(', ')}` : ''}` : 'at the initial state';
  return `Chart of ${opened.value?.name ?? ''}, ${steps.value.length} steps, ${where}`;
}
