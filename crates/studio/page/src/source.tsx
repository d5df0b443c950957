// The text of the model, or of the program: where everybody is, what is wrong with it, and how to change it.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, type Diagnostic as Mark } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, changedOnDisk, check, chosen, complain, current, edited, editing, involved, isAtFailure, lookAtDisk, open, opened, position, reload, say, state, steps, tab, violation } from './store';
import type { Diagnostic, Opened } from './types';

const WORDS = new Set(('active assert atomic bit bool break byte chan d_step d_proctype do else empty enabled eval false fi for full goto hidden if inline init int len ltl mtype '
  + 'nempty never nfull notrace od of pid printf priority proctype provided run select short show skip timeout trace true typedef unless unsigned xr xs '
  + 'machine network state states initial final input output virtual when on send receive to from port process processor connect queue invariant var range timer start stop progress '
  + 'auto char const continue double enum extern float fn impl let long match mod move mut pub ref return self sizeof static struct switch union use void volatile while async await loop where '
  + 'class namespace new delete template this throw try catch using').split(' '));

/** Enough for every notation and for C, C++ and Rust: words, numbers, strings, comments. */
const language = StreamLanguage.define<{ comment: boolean }>({
  startState: () => ({ comment: false }),
  token(stream, inside) {
    if (inside.comment) {
      if (stream.match(/.*?\*\//)) inside.comment = false; else stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) { stream.skipToEnd(); return 'comment'; }
    if (stream.match('/*')) { inside.comment = true; return 'comment'; }
    if (stream.sol() && stream.match(/#\s*\w+/)) return 'meta';
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/'(?:[^'\\]|\\.)'/)) return 'string';
    if (stream.match(/\d[\w.]*/)) return 'number';
    const word = stream.match(/[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) return WORDS.has(word[0]) ? 'keyword' : null;
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--keyword)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.string, tags.number], color: 'var(--literal)' },
  { tag: tags.meta, color: 'var(--faint)' },
]);

interface Place { line: number; names: string[]; here: boolean; unreached: boolean; fails: boolean }
const places = StateEffect.define<Place[]>();

class Names extends GutterMarker {
  constructor(readonly place: Place) { super(); }
  override eq(other: Names) { return JSON.stringify(this.place) === JSON.stringify(other.place); }
  override toDOM() {
    const mark = document.createElement('span');
    const { names, here, fails } = this.place, [first] = names;
    mark.className = fails ? 'at fails' : here ? 'at here' : 'at';
    const who = first === undefined ? '' : names.length > 1 ? `▸${names.length}` : `▸${/[[ ](\d+)\]?$/.exec(first)?.[1] ?? (first.length > 8 ? `${first.slice(0, 7)}…` : first)}`;
    mark.textContent = fails ? `✗${who}` : who || '○';
    const told = first === undefined ? [] : [`${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} here`];
    mark.title = (fails ? ['it fails here', ...told] : told.length ? told : ['never reached']).join('; ');
    return mark;
  }
}

const where = StateField.define<{ marks: RangeSet<GutterMarker>; lines: RangeSet<Decoration> }>({
  create: () => ({ marks: RangeSet.empty, lines: RangeSet.empty }),
  update(value, transaction) {
    let { marks, lines } = value;
    if (transaction.docChanged) { marks = marks.map(transaction.changes); lines = lines.map(transaction.changes); }
    for (const effect of transaction.effects) if (effect.is(places)) {
      const doc = transaction.state.doc;
      const known = effect.value.filter(place => place.line >= 1 && place.line <= doc.lines).sort((a, b) => a.line - b.line);
      marks = RangeSet.of(known.map(place => new Names(place).range(doc.line(place.line).from)));
      lines = RangeSet.of(known.filter(place => place.here || place.fails).map(place => Decoration.line({ class: place.here ? 'cm-here' : 'cm-fails' }).range(doc.line(place.line).from)));
    }
    return { marks, lines };
  },
  provide: field => EditorView.decorations.from(field, value => value.lines),
});

/** Where everybody is in a file. */
function placesIn(file: string, isFirst: boolean): Place[] {
  const found = new Map<number, Place>();
  const at = (line: number) => {
    let place = found.get(line);
    if (!place) found.set(line, place = { line, names: [], here: false, unreached: false, fails: false });
    return place;
  };
  if (state.value) {
    for (const process of state.value.processes) if (process.at.file === file && process.at.line > 0) {
      const place = at(process.at.line);
      place.names.push(process.name);
      if (process.process === current.value) place.here = true;
    }
  } else {
    const last = new Map<string, { process: number; file: string; line: number; name: string }>();
    for (const step of steps.value.slice(0, position.value)) last.set(step.name, step);
    for (const step of last.values()) if (step.file === file && step.line > 0) {
      const place = at(step.line);
      place.names.push(step.name);
      if (step.process === current.value) place.here = true;
    }
  }
  const standing = new Set([...found.values()].flatMap(place => place.names));
  for (const one of involved.value) if (one.file === file && !standing.has(one.name)) at(one.line).names.push(one.name);
  const failure = isAtFailure.value ? violation.value?.at : null;
  if (failure && failure.file === file && failure.line > 0) at(failure.line).fails = true;
  if (isFirst) for (const line of check.value?.unreached ?? []) at(line).unreached = true;
  return [...found.values()];
}

/** The file in which it fails, or the step or the chosen process is. */
function fileInSight(subject: Opened): string {
  const failing = isAtFailure.value && chosen.value === null ? violation.value?.at?.file : undefined;
  if (failing && subject.sources.some(source => source.file === failing)) return failing;
  const process = state.value?.processes.find(one => one.process === current.value);
  if (process && subject.sources.some(source => source.file === process.at.file)) return process.at.file;
  const done = steps.value.slice(0, position.value).reverse().find(step => step.process === current.value && step.file);
  return done?.file ?? subject.sources[0]?.file ?? '';
}

/** How far to scroll so that the first of some lines is in sight, whole, and the others as well if there is room; nothing if it is so. The editor's own way scrolls the page too. */
function heightFor(view: EditorView, lines: number[]): number | null {
  const box = view.scrollDOM, above = view.documentPadding.top;
  const blocks = lines.map(line => view.lineBlockAt(view.state.doc.line(line).from));
  const span = (some: typeof blocks) => ({ top: above + Math.min(...some.map(block => block.top)), bottom: above + Math.max(...some.map(block => block.bottom)) });
  const whole = span(blocks), one = whole.bottom - whole.top <= box.clientHeight ? whole : span(blocks.slice(0, 1));
  return one.top < box.scrollTop || one.bottom > box.scrollTop + box.clientHeight ? (one.top + one.bottom - box.clientHeight) / 2 : null;
}

export function Source() {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const [dirty, setDirty] = useState(false);
  const [picked, pick] = useState<string | null>(null);
  const subject = opened.value;
  const writable = useRef(new Compartment());
  const inSight = subject ? fileInSight(subject) : '';
  const wanted = picked ?? inSight;
  const file = dirty ? subject?.sources[0]?.file ?? '' : subject?.sources.some(source => source.file === wanted) ? wanted : subject?.sources[0]?.file ?? '';
  const isModel = subject?.subject === 'model' && file === subject.sources[0]?.file;
  const text = subject?.sources.find(source => source.file === file)?.text ?? '';
  // Lines that end as they do elsewhere keep their ends.
  const ends = text.includes('\r\n') ? '\r\n' : '\n';
  const whole = (state: EditorState) => (ends === '\n' ? state.doc.toString() : state.doc.toString().replaceAll('\n', ends));

  useEffect(() => {
    if (!box.current) return;
    const diagnose = linter(async view => {
      if (!isModel || !dirtyNow.current) return marks(opened.value?.warnings ?? [], text, view.state.doc.length);
      const typed = whole(view.state);
      try { return marks(await ask<Diagnostic[]>('diagnose', { text: typed }), typed, view.state.doc.length); } catch { return []; }
    }, { delay: 250 });
    const view = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(document.querySelector('meta[name=nonce]')?.getAttribute('content') ?? ''),
          where,
          gutter({ class: 'cm-where', markers: view => view.state.field(where).marks, lineMarkerChange: () => true }),
          lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), indentOnInput(), highlightActiveLine(), highlightSelectionMatches(),
          language, syntaxHighlighting(colours), diagnose,
          writable.current.of([EditorState.readOnly.of(!isModel), EditorView.editable.of(isModel)]),
          keymap.of([
            { key: 'Mod-s', preventDefault: true, run: () => { void save(); return true; } },
            { key: 'Mod-Enter', run: () => { void apply(); return true; } },
            ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab,
          ]),
          // Text that cannot be edited is reached by keys as well, to scroll it.
          EditorView.contentAttributes.of({ 'aria-label': `Source: ${file}`, tabindex: '0' }),
          EditorView.updateListener.of(update => { if (update.docChanged) setDirty(edited.value = dirtyNow.current = whole(update.state) !== text); }),
        ],
      }),
    });
    editor.current = view;
    setDirty(edited.value = dirtyNow.current = false);
    return () => view.destroy();
  }, [file, text, isModel, subject?.revision]);
  const dirtyNow = useRef(false);

  const now = state.value, at = position.value, chosenNow = current.value, unreached = check.value?.unreached;
  // What is hidden cannot be scrolled: the line is looked for again when the text is shown.
  const inView = tab.value === 'source', failing = violation.value;
  useEffect(() => {
    const view = editor.current;
    if (!view || !subject) return;
    const all = dirty ? [] : placesIn(file, isModel);
    view.dispatch({ effects: places.of(all) });
    // Where it fails is what one came for, unless somebody looks at a process of their choice.
    const wanted = [all.find(place => place.fails), all.find(place => place.here)];
    if (chosen.value !== null) wanted.reverse();
    const lines = wanted.flatMap(place => (place && place.line <= view.state.doc.lines ? [place.line] : []));
    // The heights of lines are known when the editor has measured them.
    if (inView && lines.length) view.requestMeasure({ key: 'sight', read: () => heightFor(view, lines), write: top => { if (top !== null) view.scrollDOM.scrollTop = top; } });
  }, [now, at, chosenNow, file, text, dirty, unreached, inView, failing]);
  useEffect(() => pick(null), [at, chosenNow]);

  const content = () => (editor.current ? whole(editor.current.state) : '');
  const applied = (text: string) => ask<{ note: string | null; revision: number }>('apply', { text, revision: opened.value?.revision });
  async function apply(): Promise<boolean> {
    if (!dirtyNow.current) return true;
    try {
      const { note } = await applied(content());
      check.value = null;
      await open();
      say(note ?? 'the new text is simulated; it is not saved yet');
      return true;
    } catch (error) { complain(error); return false; }
  }
  editing.apply = apply;
  async function save() {
    try {
      const typed = content();
      let revision = opened.value?.revision;
      if (dirtyNow.current) { revision = (await applied(typed)).revision; check.value = null; }
      await ask('save', { text: typed, revision });
      await open();
      say('saved');
    } catch (error) { say(`not saved: ${error instanceof Error ? error.message : String(error)}`, true); }
    await lookAtDisk();
  }
  function revert() {
    const view = editor.current;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }
  const line = violation.value?.at?.line, isProgram = subject?.subject === 'program';
  return (
    <div class="source">
      <div class="bar">
        {subject && subject.sources.length > 1
          ? <select aria-label="File" value={file} onChange={event => pick(event.currentTarget.value)}>{subject.sources.map(source => <option key={source.file} value={source.file}>{source.file}</option>)}</select>
          : <span class="quiet file">{file || 'the source is not known'}</span>}
        {isModel && <>
          <button disabled={!dirty} title="Simulate the new text, without saving it (Ctrl-Enter)" onClick={() => void apply()}>Apply</button>
          <button disabled={!dirty && !subject?.unsaved} title="Save to the file (Ctrl-S)" onClick={() => void save()}>Save</button>
          {dirty && <button title="Back to the text that is simulated" onClick={revert}>Revert</button>}
          {(dirty || subject?.unsaved) && <span class="quiet">not saved</span>}
        </>}
        {changedOnDisk.value && <><span class="mark">{isProgram ? 'built anew since it was started' : 'changed on disk'}</span>
          <button title={isProgram ? 'Run the program as it is built now' : 'Read the file again; what was typed here is lost'} onClick={() => void reload()}>{dirty ? 'Reload and lose my change' : 'Reload'}</button></>}
        {line && <span class="quiet">fails at line {line}</span>}
      </div>
      <div class="editor" ref={box} />
    </div>
  );
}

/** The server counts both characters at the end of a line, the editor one. */
const placeIn = (text: string, offset: number) => offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);

function marks(all: Diagnostic[], text: string, length: number): Mark[] {
  return all.map(one => ({
    from: Math.min(placeIn(text, one.from), length),
    to: Math.min(placeIn(text, Math.max(one.to, one.from)), length),
    severity: one.severity === 'note' ? 'info' : one.severity,
    message: `${one.message}${one.hint ? `\n${one.hint}` : ''}${one.file ? ` (${one.file}, line ${one.line})` : ''}`,
    source: one.code,
  }));
}

/** Keeps the editor's keys to itself. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, .cm-editor, [role=separator]') !== null;
}
