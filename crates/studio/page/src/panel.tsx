// Panels that fold to their title, and edges that can be dragged; both are remembered.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

function remembered(key: string, otherwise: string): string {
  try { return localStorage.getItem(`mazurka.${key}`) ?? otherwise; } catch { return otherwise; }
}
function remember(key: string, value: string): void {
  try { localStorage.setItem(`mazurka.${key}`, value); } catch { /* then not */ }
}

export function Panel(props: { name: string; title: ComponentChildren; tools?: ComponentChildren; children: ComponentChildren; label: string; onShow?: () => void }) {
  const [folded, fold] = useState(remembered(`folded.${props.name}`, '') === 'yes');
  // What is unfolded is made anew, and has to be brought to where the cursor is.
  useEffect(() => { if (!folded) props.onShow?.(); }, [folded]);
  const toggle = () => { fold(!folded); remember(`folded.${props.name}`, folded ? '' : 'yes'); };
  return (
    <section class={`panel ${props.name} ${folded ? 'folded' : ''}`} aria-label={props.label}>
      <header>
        <button class="fold" aria-expanded={!folded} title={folded ? 'Unfold' : 'Fold'} aria-label={`Fold: ${props.label}`} onClick={toggle}>{folded ? '▸' : '▾'}</button>
        <h2>{props.title}</h2>
        {!folded && <div class="tools">{props.tools}</div>}
      </header>
      {!folded && props.children}
    </section>
  );
}

/** More processes of one type than this are shown as one. */
export const MANY = 12;

/** Things of processes by the type of the process, in the order in which the types are met: `P` of `P[3]`. */
export function byType<T>(all: T[], nameOf: (one: T) => string): [string, T[]][] {
  const kinds = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one), kind = name.split('[')[0] ?? name;
    const same = kinds.get(kind);
    if (same) same.push(one); else kinds.set(kind, [one]);
  }
  return [...kinds];
}

/** What many processes of one type have to show, made only while somebody looks at it. */
export function Many(props: { title: string; children: () => ComponentChildren }) {
  const [open, set] = useState(false);
  return (
    <details class="many" open={open} onToggle={event => set(event.currentTarget.open)}>
      <summary>{props.title}</summary>
      {open && props.children()}
    </details>
  );
}

/** Scrolls a box, and nothing around it, until something in it is in sight: nobody asked for the page to move. */
export function bringIntoSight(element: Element, box: Element): void {
  const inside = element.getBoundingClientRect(), seen = box.getBoundingClientRect();
  if (inside.top < seen.top) box.scrollTop -= seen.top - inside.top;
  else if (inside.bottom > seen.bottom) box.scrollTop += Math.min(inside.bottom - seen.bottom, inside.top - seen.top);
}

/** An edge that is dragged, or moved by arrow keys, and sets a length of the page. */
export function Edge(props: { name: string; direction: 'across' | 'down'; from: 'start' | 'end'; initial: number; least: number; label: string }) {
  const key = `edge.${props.name}`;
  const [size, set] = useState(Number(remembered(key, String(props.initial))) || props.initial);
  const start = useRef<{ at: number; size: number } | null>(null);
  useEffect(() => { document.documentElement.style.setProperty(`--${props.name}`, `${size}px`); }, [size]);
  const most = () => Math.round((props.direction === 'across' ? innerWidth : innerHeight) * 0.7);
  const change = (wanted: number) => {
    const next = Math.round(Math.min(most(), Math.max(props.least, wanted)));
    set(next);
    remember(key, String(next));
  };
  const at = (event: PointerEvent) => (props.direction === 'across' ? event.clientX : event.clientY);
  const sign = props.from === 'start' ? 1 : -1;
  return (
    <div class={`edge ${props.direction}`} role="separator" tabIndex={0} aria-label={props.label} aria-valuenow={size} aria-valuemin={props.least} aria-valuemax={most()}
      aria-orientation={props.direction === 'across' ? 'vertical' : 'horizontal'}
      onPointerDown={event => { start.current = { at: at(event), size }; (event.currentTarget as Element).setPointerCapture(event.pointerId); }}
      onPointerMove={event => { if (start.current) change(start.current.size + sign * (at(event) - start.current.at)); }}
      onPointerUp={() => { start.current = null; }}
      onKeyDown={event => {
        const step = { ArrowLeft: -16, ArrowUp: -16, ArrowRight: 16, ArrowDown: 16 }[event.key];
        if (step) { change(size + sign * step); event.preventDefault(); event.stopPropagation(); }
      }} />
  );
}

/** A small plot; what is missing is a gap. Values that are no numbers stand for words. */
export function Plot(props: { values: (number | null)[]; width?: number; height?: number; at?: number; label: string; stairs?: boolean; words?: string[] }) {
  const { values, width = 120, height = 24 } = props;
  const known = values.filter((value): value is number => value !== null);
  if (!known.length) return null;
  const low = known.reduce((a, b) => Math.min(a, b)), high = known.reduce((a, b) => Math.max(a, b));
  const x = (index: number) => (values.length < 2 ? width / 2 : 2 + (index * (width - 4)) / (values.length - 1));
  const y = (value: number) => (high === low ? height / 2 : height - 3 - ((value - low) * (height - 6)) / (high - low));
  let path = '', pen = 'M';
  values.forEach((value, index) => {
    if (value === null) { pen = 'M'; return; }
    // What changes by steps is level until it does.
    if (props.stairs && pen === 'L') path += `H${x(index).toFixed(1)}`;
    path += `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = 'L';
  });
  const here = props.at !== undefined && props.at >= 0 && props.at < values.length ? values[props.at] : null;
  const told = `${props.label}: ${props.words?.length ? props.words.join(', ') : `${low} to ${high}`}`;
  return (
    <svg class="plot" width={width} height={height} role="img" aria-label={told}>
      <title>{told}</title>
      <path d={path} />
      {here !== null && props.at !== undefined && here !== undefined && <circle cx={x(props.at)} cy={y(here)} r="2.5" />}
    </svg>
  );
}

/** Is a menu asked for by keys? */
export const asksForMenu = (event: KeyboardEvent) => event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');

/** A menu at the pointer, or at what has the focus, for what can be copied. */
export function menu(event: MouseEvent | KeyboardEvent, items: [string, () => void][]): void {
  event.preventDefault();
  const place = event instanceof MouseEvent ? { x: event.clientX, y: event.clientY } : (event.currentTarget as Element).getBoundingClientRect();
  document.querySelector('.menu')?.remove();
  const list = document.createElement('div');
  list.className = 'menu';
  list.setAttribute('role', 'menu');
  const before = document.activeElement;
  const close = () => {
    const isInside = list.contains(document.activeElement);
    list.remove();
    removeEventListener('pointerdown', outside);
    if (isInside && before instanceof HTMLElement) before.focus();
  };
  const outside = (other: Event) => { if (!list.contains(other.target as Node)) close(); };
  for (const [text, work] of items) {
    const item = document.createElement('button');
    item.textContent = text;
    item.setAttribute('role', 'menuitem');
    item.onclick = () => { close(); work(); };
    list.append(item);
  }
  list.onkeydown = key => {
    const at = [...list.children].indexOf(document.activeElement as Element), count = list.children.length;
    if (key.key === 'Escape' || key.key === 'Tab') close();
    else if (key.key === 'ArrowDown') (list.children[(at + 1) % count] as HTMLElement).focus();
    else if (key.key === 'ArrowUp') (list.children[(at + count - 1) % count] as HTMLElement).focus();
    else return;
    key.preventDefault();
    key.stopPropagation();
  };
  document.body.append(list);
  list.style.left = `${Math.min(place.x, innerWidth - list.offsetWidth - 4)}px`;
  list.style.top = `${Math.min(place.y, innerHeight - list.offsetHeight - 4)}px`;
  addEventListener('pointerdown', outside);
  (list.firstElementChild as HTMLElement | null)?.focus();
}
