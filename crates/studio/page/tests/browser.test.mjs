// The page in a real browser: what it shows, what it answers, and what it refuses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browse, mazurka, missing, root, serve } from './studio.mjs';

const options = { skip: missing, timeout: 60_000 };
const withCompiler = { ...options, skip: missing || !existsSync('/usr/bin/gcc') && 'there is no gcc' };
const example = name => join(root, 'examples', name);
const fixture = name => join(root, 'crates/studio/page/tests/fixtures', name);
let browser;

before(async () => { if (!missing) browser = await browse(); });
after(async () => { await browser?.close(); });

/** A page of a model or a scenario, closed when the work is done. Nothing goes wrong in it, and it asks nobody else for anything. */
async function studio(args, work, look = {}) {
  const served = await serve(...[args].flat());
  let page;
  try {
    page = await browser.page(served.url, look);
    await work(page, served);
    assert.deepEqual(page.problems, []);
    for (const url of page.asked) assert.ok(url.startsWith(served.url) || url.startsWith('data:') || url.startsWith('blob:'), url);
  } finally {
    await page?.close();
    served.stop();
  }
}
const at = page => page.textContent('.foot .at');
const settled = (page, text) => page.waitForFunction(wanted => document.querySelector('.foot .at').textContent === wanted, text);

test('a page loads, and a step and the way back move every view', options, () => studio(example('promela/handshake.pml'), async page => {
  assert.equal(await at(page), 'step 0 of 0');
  assert.match(await page.title(), /handshake\.pml/);
  await page.click('.choice');
  await settled(page, 'step 1 of 1');
  assert.equal(await page.getAttribute('.row.here', 'id'), 'step-1');
  assert.equal(await page.locator('.panel.chart .body text.faint').count(), 1);
  assert.ok(await page.locator('.cm-line.cm-here').count() >= 1);
  await page.click('text=◀ Back');
  await settled(page, 'step 0 of 1');
  assert.equal(await page.getAttribute('.row.here', 'id'), 'step-0');
}));

test('going back and choosing otherwise makes a branch, and the first is not lost', options, () => studio(example('promela/philosophers-ordered.pml'), async page => {
  await page.keyboard.press('1');
  await settled(page, 'step 1 of 1');
  const first = await page.textContent('#step-1');
  await page.keyboard.press('ArrowLeft');
  await settled(page, 'step 0 of 1');
  await page.keyboard.press('2');
  await settled(page, 'step 1 of 1');
  assert.notEqual(await page.textContent('#step-1'), first);
  assert.match(await page.textContent('.foot'), /run 2 of 2/);
  await page.keyboard.press('b');
  await page.waitForFunction(wanted => document.querySelector('#step-1')?.textContent === wanted, first);
}));

test('a model that is opened shows its counterexample where it fails, and who waits is explained', options, () => studio(example('promela/philosophers.pml'), async page => {
  await settled(page, 'step 6 of 6');
  assert.match(await page.textContent('.chip.wrong'), /✗ safety violated \(6 steps\)/);
  assert.match(await page.textContent('.why'), /philosopher\[0\], line 14: waits until fork\[right\] == 0, and fork\[1\] is 1/);
  assert.match(await page.textContent('.circle'), /philosopher\[0\] waits for philosopher\[1\], which waits for philosopher\[2\], which waits for philosopher\[0\]/);
  assert.match(await page.textContent('.variables .changed'), /fork/);
  await page.keyboard.press('Home');
  await settled(page, 'step 0 of 6');
  await page.keyboard.press('End');
  await settled(page, 'step 6 of 6');
  await page.click('#tab-check');
  await page.click('.violations button');
  await settled(page, 'step 6 of 6');
}));

test('after steps by hand a check opens its counterexample, and the steps by hand are a run to return to', options, () => studio(example('promela/philosophers.pml'), async page => {
  await page.click('text=Reset');
  await settled(page, 'step 0 of 0');
  await page.keyboard.press('2');
  await settled(page, 'step 1 of 1');
  const byHand = await page.textContent('#step-1');
  await page.keyboard.press('c');
  await settled(page, 'step 6 of 6');
  assert.match(await page.textContent('.why'), /deadlock/);
  await page.keyboard.press('b');
  await settled(page, 'step 1 of 1');
  assert.equal(await page.textContent('#step-1'), byHand);
  await page.click('.chip.wrong');
  await settled(page, 'step 6 of 6');
}));

test('an assertion fails with its values, and its line is marked', options, () => studio(example('promela/counter.pml'), async page => {
  await page.waitForSelector('.chip.wrong');
  assert.match(await page.textContent('.why'), /There, .* = \d/);
  assert.match(await page.textContent('.cm-line.cm-fails'), /assert/);
}));

/** Is the whole of a line in the part of the text that is shown? */
const lineInSight = (page, line) => page.waitForFunction(wanted => {
  const line = document.querySelector(wanted)?.getBoundingClientRect(), box = document.querySelector('.cm-scroller').getBoundingClientRect();
  return line && line.top >= box.top && line.bottom <= box.bottom;
}, line, { timeout: 10_000 });

test('where a run fails is in sight, and is said once', options, () => studio(example('promela/payment.pml'), async page => {
  await settled(page, 'step 16 of 16');
  await lineInSight(page, '.cm-line.cm-fails');
  assert.equal(await page.textContent('.why .wrong'), '✗ assertion violated: booked == paid');
  // Once in words, and once at the step in the chart.
  assert.equal(await page.evaluate(() => document.querySelector('#studio').innerText.match(/assertion violated/g).length), 2);
  assert.match(await page.textContent('.next'), /✗ It fails here\./);
  assert.equal(await page.locator('text=Go to where it fails').count(), 0);
  // A statement has its value beside it, as the chart has it.
  assert.match(await page.textContent('#step-9'), /requests!paid \(0\)/);
  assert.match(await page.textContent('.panel.chart .body'), /requests!0/);
  await page.keyboard.press('Home');
  await settled(page, 'step 0 of 16');
  await page.click('text=Go to where it fails');
  await settled(page, 'step 16 of 16');
  await lineInSight(page, '.cm-line.cm-fails');
}));

test('a step by hand that fails says why', options, () => studio(example('promela/counter.pml'), async page => {
  await page.waitForSelector('.chip.wrong');
  // A run of one's own is one that nobody has checked.
  await page.click('text=Reset');
  await settled(page, 'step 0 of 0');
  for (let tries = 0; tries < 200 && !/assertion violated.* = \d/.test(await page.textContent('.next')); tries += 1) {
    if (await page.locator('.choice').count() === 0) await page.click('text=Reset');
    else await page.keyboard.press('r');
    await page.waitForTimeout(30);
  }
  assert.match(await page.textContent('.next'), /assertion violated.* = \d/);
}));

test('the list of keys hides nothing, and is closed by Escape', options, () => studio(example('promela/handshake.pml'), async page => {
  const boxes = () => page.evaluate(() => ['.keys', 'main', '.foot'].map(name => document.querySelector(name).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
  await page.keyboard.press('?');
  await page.waitForSelector('.keys');
  const [keys, main, foot] = await boxes();
  assert.ok(keys[1] <= main[0] && main[1] <= foot[0] && foot[1] <= 720, JSON.stringify([keys, main, foot]));
  await page.keyboard.press('Escape');
  await page.waitForSelector('.keys', { state: 'detached' });
  await page.click('text=Keys');
  await page.waitForSelector('.keys');
  await page.focus('.cm-content');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.keys', { state: 'detached' });
}));

test('on a phone the chart stands where the cursor is, also when it is unfolded', options, () => studio([example('promela/two-phase-commit.pml'), '-DCRASH'], async page => {
  await settled(page, 'step 49 of 49');
  const inSight = () => page.waitForFunction(() => {
    const cursor = document.querySelector('.panel.chart .cursor')?.getBoundingClientRect(), box = document.querySelector('.panel.chart .scroll')?.getBoundingClientRect();
    return cursor?.height > 0 && cursor.top >= box.top && cursor.bottom <= box.bottom + 1;
  }, null, { timeout: 10_000 });
  await inSight();
  // The end of a process is written nowhere: it is told of in words.
  assert.match(await page.textContent('.next'), /end waits until the processes that were started after it have ended/);
  for (let time = 0; time < 2; time += 1) await page.click('.panel.chart .fold');
  await inSight();
  for (let time = 0; time < 2; time += 1) await page.click('.panel.trace .fold');
  await page.waitForSelector('#step-49.here');
}, { width: 390, height: 844 }));

test('a run is replayed, until somebody does something else', options, () => studio(example('promela/philosophers.pml'), async page => {
  await page.keyboard.press('p');
  await settled(page, 'step 0 of 6');
  await settled(page, 'step 2 of 6');
  await page.keyboard.press('Home');
  await page.waitForTimeout(1_200);
  assert.equal(await at(page), 'step 0 of 6');
  await page.click('.foot button:text("Replay")');
  await settled(page, 'step 6 of 6');
}));

test('after a check the source shows where the process stands', options, () => studio([example('promela/two-phase-commit.pml'), '-DCRASH'], async page => {
  await page.keyboard.press('c');
  await settled(page, 'step 49 of 49');
  await page.waitForFunction(() => {
    const line = document.querySelector('.cm-line.cm-here')?.getBoundingClientRect(), box = document.querySelector('.editor').getBoundingClientRect();
    return line && line.top >= box.top && line.bottom <= box.bottom;
  }, null, { timeout: 10_000 });
}));

test('a long check can be stopped, and is then not said to hold', options, () => studio([example('promela/philosophers-ordered.pml'), '-DN=12'], async page => {
  await page.click('#tab-check');
  await page.selectOption('.check .bar label:nth-child(2) select', 'none');
  await page.click('.check button.main');
  await page.waitForSelector('.head .stop');
  await page.waitForFunction(() => /states/.test(document.querySelector('.live')?.textContent ?? ''));
  await page.click('.head .stop');
  await page.waitForSelector('.head .stop', { state: 'detached' });
  assert.match(await page.textContent('.chip'), /\? safety inconclusive/);
  assert.equal(await page.locator('.chip.good').count(), 0);
}));

test('what repeats for ever is framed, goes round, and its formula is shown along it', options, () => studio(fixture('toggle.pml'), async page => {
  await page.waitForSelector('.atoms .cell');
  assert.match(await page.textContent('.panel.chart .body'), /repeats for ever/);
  const text = await at(page);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(old => document.querySelector('.foot .at').textContent !== old, text);
  assert.ok(await page.locator('.cell.true').count() > 0 && await page.locator('.cell.false').count() > 0);
}));

test('10,000 steps scroll, and only what is in sight is in the document', options, () => studio(fixture('long.pml'), async page => {
  for (let hundred = 0; hundred < 100; hundred += 1) {
    await page.keyboard.press('R');
    await settled(page, `step ${(hundred + 1) * 100} of ${(hundred + 1) * 100}`);
  }
  // The chart follows the run; scrolling away from it begins when it has arrived.
  await page.waitForFunction(() => [...document.querySelectorAll('.panel.chart .body text.faint')].some(text => Number(text.textContent) > 9_980));
  for (const top of [0, 60_000, 130_000, 200_000, 255_000]) {
    await page.evaluate(y => { document.querySelector('.panel.chart .scroll').scrollTop = y; }, top);
    await page.waitForFunction(y => {
      const numbers = [...document.querySelectorAll('.panel.chart .body text.faint')].map(text => Number(text.textContent));
      return numbers.length > 5 && numbers.length < 400 && numbers.some(number => Math.abs(number - y / 26) < 60);
    }, top);
  }
  assert.ok(await page.locator('.row').count() < 120);
  await page.fill('.trace .find', 'meet!');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /meet!/.test(document.querySelector('.row.here')?.textContent ?? ''));
}));

test('two hundred processes are folded by their type', options, () => studio(fixture('many.pml'), async page => {
  for (let hundred = 0; hundred < 7; hundred += 1) {
    await page.keyboard.press('R');
    await settled(page, `step ${(hundred + 1) * 100} of ${(hundred + 1) * 100}`);
  }
  await page.waitForFunction(() => /worker ×190/.test(document.querySelector('.panel.chart .names').textContent));
  assert.ok(await page.locator('.process').count() < 10);
  await page.click('.values .many summary');
  await page.waitForFunction(() => document.querySelectorAll('.process').length > 190);
  // Who unfolds them means it.
  await page.click('text=Unfold worker');
  await page.waitForFunction(() => /worker\[190\]/.test(document.querySelector('.panel.chart .names').textContent));
  await page.keyboard.press('r');
  await settled(page, 'step 701 of 701');
  assert.match(await page.textContent('.panel.chart .names'), /worker\[190\]/);
}));

test('a chart is filtered and zoomed, panels are folded and dragged and remember it, steps are copied', options, () => studio(example('promela/philosophers.pml'), async page => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const numbers = () => page.locator('.panel.chart .body text.faint').allTextContents();
  assert.equal((await numbers()).length, 6);
  await page.fill('.panel.chart .find', '= 1');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.panel.chart .body text.faint').length < 6);
  await page.fill('.panel.chart .find', '');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.panel.chart .body text.faint').length === 6);
  const wide = () => page.evaluate(() => document.querySelector('.sheet').getBoundingClientRect().width);
  const before = await wide();
  await page.click('.panel.chart [aria-label="Zoom in"]');
  await page.waitForFunction(old => document.querySelector('.sheet').getBoundingClientRect().width > old, before);
  await page.click('#step-2', { button: 'right' });
  await page.click('.menu button:text("Copy step")');
  await page.waitForFunction(() => /copied/.test(document.querySelector('.note').textContent));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^2  philosopher\[\d\]  \S+philosophers\.pml:13  fork\[left\] = 1/);
  await page.focus('[aria-label="Width of the trace"]');
  await page.keyboard.press('ArrowRight');
  await page.click('.values .fold');
  await page.reload();
  await page.waitForSelector('.values.folded');
  assert.equal(await page.evaluate(() => document.querySelector('.trace').getBoundingClientRect().width), 306);
  await page.click('.values .fold');
  await page.evaluate(() => localStorage.clear());
}));

test('expressions are watched and run for, and queues are drawn', options, () => studio(fixture('long.pml'), async page => {
  await page.fill('.watches input', 'sent + 1');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.watch');
  await page.fill('.foot input', 'sent == 5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /holds after/.test(document.querySelector('.note').textContent));
  assert.equal((await page.textContent('.watch .value')).trim(), '6');
  assert.equal(await page.locator('.watch .plot path').count(), 1);
  assert.equal(await page.locator('.queue .slots').count(), 2);
  await page.fill('.watches input', 'nobody');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.watch').length === 2);
  assert.match(await page.textContent('.watches'), /nobody/);
}));

test('automata and the state space are drawn, and a click goes there', options, () => studio([example('promela/philosophers.pml'), '-DN=2'], async page => {
  await page.click('#tab-automaton');
  await page.waitForSelector('.picture .n.here');
  await page.click('#tab-space');
  // The state where the run ends is among others.
  await page.waitForSelector('.picture .n.here');
  assert.ok(await page.locator('.picture .n').count() > 1);
  await page.click('text=Reset');
  await page.click('text=Centre here');
  await page.selectOption('.graphs label:nth-child(3) select', 'stubborn');
  await page.waitForSelector('.picture .n.out');
  assert.match(await page.textContent('.graphs .bar'), /11 of 12 states are left/);
  await page.click('.graphs input[type=checkbox]');
  await page.waitForFunction(() => document.querySelectorAll('.picture').length === 2);
  await page.locator('.picture').first().locator('[data-node="4"]').click();
  await page.waitForFunction(() => /deadlock/.test(document.querySelector('.next').textContent));
  await page.waitForFunction(() => document.querySelector('.picture .n.here')?.dataset.node === '4');
}));

test('the text can be edited: what is wrong is marked, and nothing is saved unasked', options, () => studio(fixture('toggle.pml'), async page => {
  await page.click('.cm-content');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('byte byte');
  await page.waitForSelector('.cm-lintRange-error');
  await page.click('text=Apply');
  await page.waitForSelector('.note.wrong');
  await page.focus('.cm-content');
  await page.keyboard.press('Control+End');
  for (let letter = 0; letter < 9; letter += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type('byte fresh;');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => /fresh/.test(document.querySelector('.variables')?.textContent ?? ''));
  assert.match(await page.textContent('.source .bar'), /not saved/);
  // What was typed and is nowhere else is not left without a question.
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await asks(), false);
  await page.focus('.cm-content');
  await page.keyboard.type(' ');
  assert.equal(await asks(), true);
  page.problems = page.problems.filter(problem => !/400/.test(problem));
}));

/** A model in a folder of its own, which may be changed. */
async function written(text, work, name = 'model.pml') {
  const folder = await mkdtemp(join(tmpdir(), 'studio-model-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text);
    await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
const HOLDS = 'byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n';

test('what is checked is what was typed, and verdicts from before are not green', options, () => written(HOLDS, file => studio(file, async page => {
  await page.waitForSelector('.chip.good');
  await page.focus('.cm-content');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('active proctype Q() { assert(false) }');
  await page.waitForSelector('.verdicts.stale');
  assert.match(await page.textContent('.verdicts'), /before your change/);
  await page.click('.head button.main');
  await page.waitForSelector('.chip.wrong');
  assert.equal(await page.locator('.verdicts.stale').count(), 0);
  assert.equal(await readFile(file, 'utf8'), HOLDS);
})));

test('two pages of one model: each has its place, and neither shows a text or a verdict that is no more', options, () => written(HOLDS, file => studio(file, async (one, served) => {
  const two = await browser.page(served.url);
  await one.waitForSelector('.chip.good');
  await two.waitForSelector('.chip.good');
  assert.equal(await two.locator('.note.wrong').count(), 0);
  await one.keyboard.press('1');
  await settled(one, 'step 1 of 1');
  // The other stands where it stood.
  await two.keyboard.press('1');
  await settled(two, 'step 1 of 1');
  await one.focus('.cm-content');
  await one.keyboard.press('Control+End');
  await one.keyboard.type('byte fresh; ');
  await one.keyboard.press('Control+Enter');
  await one.waitForFunction(() => /fresh/.test(document.querySelector('.variables')?.textContent ?? ''));
  await two.keyboard.press('ArrowLeft');
  await two.waitForFunction(() => /fresh/.test(document.querySelector('.cm-content').textContent));
  assert.equal(await two.locator('.chip').count(), 0);
  assert.deepEqual(two.problems, []);
  await two.close();
})));

test('a model that is changed elsewhere is read again when that is wanted', options, () => written(HOLDS, file => studio(file, async page => {
  await page.waitForSelector('.chip.good');
  await writeFile(file, HOLDS.replace('x == 1', 'x == 2'));
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.waitForSelector('text=changed on disk');
  await page.focus('.cm-content');
  await page.keyboard.type('/* mine */ ');
  await page.keyboard.press('Control+s');
  await page.waitForSelector('.note.wrong');
  assert.match(await page.textContent('.note'), /not saved: .*changed by somebody else/);
  assert.match(await readFile(file, 'utf8'), /x == 2/);
  await page.click('text=Reload');
  await page.waitForFunction(() => /x == 2/.test(document.querySelector('.cm-content').textContent));
  assert.doesNotMatch(await page.textContent('.cm-content'), /mine/);
  await page.waitForSelector('text=changed on disk', { state: 'detached' });
  await page.keyboard.press('Escape');
  await page.click('.head button.main');
  await page.waitForSelector('.chip.wrong');
  page.problems = page.problems.filter(problem => !/400/.test(problem));
})));

test('lines keep their ends, and what is wrong is marked where it is', options, () => written(HOLDS.replaceAll('\n', '\r\n'), file => studio(file, async page => {
  await page.focus('.cm-content');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('byte byte');
  await page.waitForSelector('.cm-lintRange-error');
  assert.equal(await page.textContent('.cm-lintRange-error'), 'byte');
  await page.keyboard.press('Backspace');
  for (const letter of 'fresh;') await page.keyboard.press(letter);
  for (let letter = 0; letter < 'fresh;'.length; letter += 1) await page.keyboard.press('Backspace');
  for (let letter = 0; letter < 'byte byt'.length; letter += 1) await page.keyboard.press('Backspace');
  // What is as it was is not changed.
  await page.waitForFunction(() => !/not saved/.test(document.querySelector('.source .bar').textContent));
  await page.keyboard.type('byte fresh;');
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => document.querySelector('.note').textContent === 'saved');
  assert.equal(await readFile(file, 'utf8'), `${HOLDS.replaceAll('\n', '\r\n')}byte fresh;`);
})));

test('whatever a file is called and says is text', options, () => written(
  '/* <script>window.broken=1</script> */ byte x;\nactive proctype P() { printf("</script><script>window.broken=1</script> <img src=x onerror=window.broken=1>\\n"); x = 1; assert(x == 2) }\n',
  file => studio(file, async page => {
    await page.waitForSelector('.chip.wrong');
    for (const tab of ['source', 'automaton', 'space', 'check']) { await page.click(`#tab-${tab}`); await page.waitForTimeout(200); }
    assert.match(await page.textContent('h1'), /<svg onload=window.broken=1>/);
    assert.equal(await page.locator('#studio img, #studio script, h1 svg').count(), 0);
    for (const form of ['html', 'svg']) {
      const { text } = await page.evaluate(async form => (await fetch('api/export', { method: 'POST', body: JSON.stringify({ text: form }) })).json(), form);
      const other = await browser.context.newPage();
      await other.setContent(text);
      assert.equal(await other.evaluate(() => window.broken), undefined, form);
      assert.equal(await other.locator('img').count(), 0);
      await other.close();
    }
    assert.equal(await page.evaluate(() => window.broken), undefined);
  }), '"><svg onload=window.broken=1>.pml'));

test('a scenario of a Rust test: source lines, and nothing to run', options, () => studio(fixture('lost-update-rust.scenario.json'), async page => {
  assert.match(await page.textContent('.next'), /MAZURKA_SCHEDULE/);
  assert.equal(await page.locator('.next button').count(), 0);
  assert.match(await page.textContent('body'), /lost update/);
}));

test('a scenario of a C program: actors, operations, source lines', options, () => studio(fixture('philosophers-c.scenario.json'), async page => {
  assert.ok(await page.locator('.panel.chart .names .head').count() >= 1);
  assert.match(await page.textContent('.cm-content'), /mazurka/);
  assert.ok(await page.locator('.cm-line.cm-here').count() === 1);
  assert.match(await page.textContent('.next'), /✗/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('.row.later').length === 2);
  // Nothing runs the program before somebody wants it.
  assert.equal(await page.locator('button.main').count(), 0);
  assert.deepEqual(await page.locator('[role=tab]').allTextContents(), ['Source', 'Check']);
  await page.focus('.cm-content');
  assert.match(await page.evaluate(() => document.activeElement.className), /cm-content/);
}));

/** A C program that is built for the explorer, in a folder of its own. */
async function built(source, work) {
  const folder = await mkdtemp(join(tmpdir(), 'studio-program-'));
  try {
    const program = join(folder, 'program');
    execFileSync(mazurka, ['cc', '-g', '-o', program, source]);
    await work(program, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a real program is stepped, back by running it again, and another actor makes a branch', withCompiler, () => built(join(root, 'crates/cli/tests/threads/deadlock-lock-order.c'), async (program, folder) => {
  const scenario = join(folder, 'deadlock.scenario.json');
  await studio(program, async page => {
    assert.equal(await at(page), 'step 0 of 0');
    for (let step = 1; step <= 2; step += 1) {
      await page.keyboard.press('1');
      await settled(page, `step ${step} of ${step}`);
    }
    assert.match(await page.textContent('.cm-content'), /pthread_mutex_lock/);
    const choice = page.locator('.choice', { hasText: 'lock a' }).first();
    await choice.click();
    await settled(page, 'step 3 of 3');
    assert.match(await page.textContent('.variables'), /held by actor 1/);
    await page.keyboard.press('ArrowLeft');
    await settled(page, 'step 2 of 3');
    assert.doesNotMatch(await page.textContent('.variables'), /held by/);
    await page.locator('.choice', { hasText: 'lock b' }).first().click();
    await settled(page, 'step 3 of 3');
    assert.match(await page.textContent('.foot'), /run 2 of 2/);
    await page.locator('.choice', { hasText: 'lock a' }).first().click();
    await page.waitForFunction(() => /deadlock/.test(document.querySelector('.next').textContent));
    assert.match(await page.textContent('.next'), /waits for b, held by actor 2/);
    assert.match(await page.textContent('.next'), /join actor 1 waits for the end of actor 1/);
    const names = await page.locator('.panel.chart .names text').allTextContents();
    assert.deepEqual(names, ['main', 'actor 1', 'actor 2', 'a', 'b']);
    assert.match(await page.textContent('.circle'), /actor 1 waits for actor 2, which waits for actor 1/);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('button[title^="Save the steps"]')]);
    await saved.saveAs(scenario);
    // A check of the program finds the same, in a run of its own.
    await page.click('text=Reset');
    await settled(page, 'step 0 of 0');
    await page.keyboard.press('c');
    await settled(page, 'step 4 of 4');
    assert.match(await page.textContent('.chip.wrong'), /✗ safety violated \(4 steps\)/);
    assert.match(await page.textContent('.head .live'), /executions?/);
    await page.keyboard.press('ArrowLeft');
    await settled(page, 'step 3 of 4');
    await page.waitForSelector('.choice');
  });
  // The scenario that was saved opens without running anything, until that is asked for.
  await studio(scenario, async page => {
    assert.equal(await at(page), 'step 4 of 4');
    assert.equal(await page.locator('.choice').count(), 0);
    await page.click('button[title^="Run "]');
    await page.waitForSelector('.variables');
    await page.keyboard.press('ArrowLeft');
    await settled(page, 'step 3 of 4');
    await page.waitForSelector('.choice');
  });
}));

test('of a data race those that race are shown, and the line is in sight', withCompiler, () => built(join(root, 'crates/cli/tests/threads/race-counter.c'), async (program, folder) => {
  const scenario = join(folder, 'race.scenario.json');
  const shown = async page => {
    await settled(page, 'step 2 of 2');
    assert.match(await page.textContent('.why .wrong'), /^✗ data race: read of 4 bytes at counter by actor 2/);
    assert.deepEqual(await page.locator('.process.involved .name').allTextContents(), ['actor 1 line 8, where it fails', 'actor 2 line 8, where it fails']);
    await lineInSight(page, '.cm-line.cm-fails');
    assert.deepEqual(await page.locator('.cm-where .at').allTextContents().then(all => all[0]), '✗▸2');
    assert.doesNotMatch(await page.textContent('.next'), /main waits/);
  };
  await studio(program, async page => {
    await page.keyboard.press('c');
    await shown(page);
    assert.ok((await page.locator('.cm-where .at').allTextContents()).includes('▸main'));
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('button[title^="Save the steps"]')]);
    await saved.saveAs(scenario);
    await page.keyboard.press('ArrowLeft');
    await settled(page, 'step 1 of 2');
    assert.equal(await page.locator('.process.involved').count(), 0);
  });
  // The same of a scenario whose program does not run.
  await studio(scenario, shown);
}));

test('an object of a program is watched along the run', withCompiler, () => built(join(root, 'crates/cli/tests/threads/deadlock-lock-order.c'), program => studio(program, async page => {
  await page.keyboard.press('c');
  await settled(page, 'step 4 of 4');
  await page.selectOption('.watches select', 'a');
  await page.waitForSelector('.watch');
  assert.match(await page.textContent('.watch .value'), /held by actor 1/);
  assert.equal(await page.getAttribute('.watch .plot', 'aria-label'), 'a: free, held by actor 1');
  await page.keyboard.press('Home');
  await settled(page, 'step 0 of 4');
  await page.waitForFunction(() => !/held/.test(document.querySelector('.watch > span').textContent));
  // What a program does not have is not offered.
  assert.equal(await page.locator('.watches form, .foot form, #tab-space, #tab-automaton').count(), 0);
})));

test('a program that is built anew is run anew, and one whose processes are ended is started again', withCompiler, () => built(join(root, 'crates/cli/tests/threads/deadlock-lock-order.c'), program => studio(program, async (page, served) => {
  await page.keyboard.press('1');
  await settled(page, 'step 1 of 1');
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(served.pid)], { encoding: 'utf8' }).trim().split(/\s+/);
  for (const child of children) process.kill(Number(child), 'SIGKILL');
  await page.keyboard.press('1');
  await settled(page, 'step 2 of 2');
  assert.equal(await page.locator('.note.wrong').count(), 0);
  await rm(program);
  execFileSync(mazurka, ['cc', '-g', '-o', program, join(root, 'crates/cli/tests/threads/race-counter.c')]);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.waitForSelector('text=built anew');
  await page.keyboard.press('c');
  // It is at step 2 of 2 before as well.
  await page.waitForSelector('.why .wrong');
  assert.match(await page.textContent('.why .wrong'), /data race/);
  await page.waitForFunction(() => /counter/.test(document.querySelector('.cm-content').textContent));
  await page.keyboard.press('ArrowLeft');
  await settled(page, 'step 1 of 2');
  await page.waitForSelector('.choice');
})));

test('no key runs the program of a scenario', options, () => studio(fixture('philosophers-c.scenario.json'), async page => {
  for (const key of ['s', 'c', '1', 'r', 'R', 'e', 'v', 'p', 'b']) await page.keyboard.press(key);
  assert.match(await page.evaluate(() => document.activeElement.className), /run/);
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.note.wrong').count(), 0);
  assert.match(await page.textContent('.next'), /Run the program/);
}));

test('a verdict on a program says what it rests on, and one that is not certain is grey', withCompiler, () => built(fixture('relaxed.c'), program => studio(program, async page => {
  await page.keyboard.press('c');
  await page.waitForSelector('.chip');
  assert.match(await page.textContent('.chip'), /✓ safety holds under sequential consistency/);
})).then(() => built(fixture('forks.c'), program => studio(program, async page => {
  await page.keyboard.press('c');
  await page.waitForSelector('.chip.grey');
  assert.match(await page.textContent('.chip'), /\? safety inconclusive/);
  assert.equal(await page.locator('.chip.good').count(), 0);
}))));

test('a program that never comes back is told of, and a long check of one is stopped', withCompiler, () => built(fixture('endless.c'), program => studio(program, async page => {
  for (let step = 1; step <= 3; step += 1) {
    await page.keyboard.press('1');
    await settled(page, `step ${step} of ${step}`);
  }
  assert.match(await page.textContent('.why .wrong'), /does not come to its next visible operation/);
  await page.keyboard.press('ArrowLeft');
  await settled(page, 'step 2 of 3');
  await page.waitForSelector('.choice');
})).then(() => built(fixture('many-steps.c'), program => studio(program, async (page, served) => {
  await page.keyboard.press('c');
  await page.waitForSelector('.head .stop');
  await page.waitForFunction(() => /executions/.test(document.querySelector('.live')?.textContent ?? ''));
  await page.click('.head .stop');
  await page.waitForSelector('.chip.grey');
  assert.match(await page.textContent('.chip'), /\? safety inconclusive/);
  // Nothing of the program is left when the studio has ended.
  const processes = () => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n').filter(line => line.trim() === program).length;
  assert.ok(processes() > 0);
  await page.goto('about:blank');
  served.stop();
  for (let tries = 0; tries < 100 && processes() > 0; tries += 1) await new Promise(done => setTimeout(done, 50));
  assert.equal(processes(), 0);
}))));

test('where a thread stands is shown with the functions it is in', withCompiler, () => built(fixture('nested.c'), program => studio(program, async page => {
  await page.keyboard.press('1');
  await page.locator('.choice', { hasText: 'lock mutex' }).waitFor({ timeout: 10_000 });
  const stack = page.locator('.process', { hasText: 'actor 1' }).locator('.stack li');
  assert.deepEqual(await stack.allTextContents(), ['take at nested.c:6', 'work at nested.c:9', 'thread at nested.c:14']);
})));

test('everything can be reached by keys alone, and has a name', options, () => studio(example('promela/philosophers.pml'), async page => {
  await page.click('text=Reset');
  await settled(page, 'step 0 of 0');
  await page.keyboard.press('c');
  await settled(page, 'step 6 of 6');
  for (const [key, text] of [['ArrowLeft', 'step 5 of 6'], ['ArrowRight', 'step 6 of 6'], ['Home', 'step 0 of 6'], ['End', 'step 6 of 6']]) {
    await page.keyboard.press(key);
    await settled(page, text);
  }
  await page.focus('#tab-source');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-automaton', 'aria-selected'), 'true');
  // The list of steps is walked as lists are, a state is aimed at, and a menu is left as it was come to.
  await page.focus('.list');
  await page.keyboard.press('ArrowUp');
  await settled(page, 'step 5 of 6');
  await page.keyboard.press('PageUp');
  await settled(page, 'step 0 of 6');
  await page.keyboard.press('Shift+F10');
  await page.waitForSelector('.menu');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'list');
  await page.click('#tab-space');
  await page.waitForSelector('.picture .n.here');
  await page.focus('.picture .scroll');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.picture .n.aimed');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('.foot .at').textContent.startsWith('step 0 of'));
  await page.keyboard.press('Control+f');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'find');
  const marks = await page.evaluate(() => [...document.querySelectorAll('button')].map(button => button.ariaLabel ?? button.textContent).filter(name => !/\p{L}/u.test(name)));
  assert.deepEqual(marks, []);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [role=listbox], [role=figure], section')]
    .filter(element => !(element.textContent.trim() || element.ariaLabel || element.title || element.closest('label'))).map(element => element.outerHTML));
  assert.deepEqual(nameless, []);
}));

test('those who do not see well find roles, names and contrast', options, async () => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const audit = async page => {
    // Steps that are taken, and steps that are not.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('?');
    for (const tab of ['source', 'automaton', 'space', 'check']) {
      await page.click(`#tab-${tab}`);
      if (tab === 'automaton' || tab === 'space') await page.waitForSelector('.picture .n');
      await page.evaluate(axe);
      const wrong = await page.evaluate(async () => (await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }))
        .violations.map(violation => `${violation.help}: ${violation.nodes.map(node => node.html).join(', ')}`));
      assert.deepEqual(wrong, [], tab);
    }
  };
  await studio(example('promela/philosophers.pml'), audit);
  await studio(fixture('toggle.pml'), audit, { dark: true });
  await studio([example('promela/two-phase-commit.pml'), '-DCRASH'], audit, { width: 390, height: 844 });
});

test('dark follows the system, and a phone has room', options, async () => {
  await studio(example('promela/philosophers.pml'), async page => {
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, 'rgb(21, 24, 28)');
  }, { dark: true });
  await studio(example('promela/philosophers.pml'), async page => {
    await settled(page, 'step 6 of 6');
    await page.waitForSelector('.why .formula, .why p:nth-child(3)');
    // Nothing moves unless somebody moves it.
    assert.equal(await page.evaluate(() => scrollY), 0);
    const [width, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(width <= screen, `${width} on ${screen}`);
    const [trace, chart] = await page.evaluate(() => ['.trace', '.panel.chart'].map(name => document.querySelector(name).getBoundingClientRect().top));
    assert.ok(trace < chart);
    // Whatever can be pressed or read is whole.
    for (const tab of ['source', 'automaton', 'space', 'check']) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(200);
      const cut = await page.evaluate(() => [...document.querySelectorAll('button, input, select, .properties td')].filter(element => !element.closest('.cm-editor')).map(element => [element.getBoundingClientRect(), element.outerHTML])
        .filter(([box]) => box.width && (box.left < 0 || box.right > innerWidth + 0.5)).map(([, html]) => html));
      assert.deepEqual(cut, [], tab);
      if (tab === 'automaton' || tab === 'space') await page.waitForSelector('.picture path.edge', { state: 'visible' });
    }
  }, { width: 390, height: 844 });
});

test('a script in a string is text', options, () => studio(fixture('script.pml'), async page => {
  await page.waitForSelector('.chip.wrong');
  await page.waitForFunction(() => /onerror/.test(document.querySelector('.panel.chart .body').textContent));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator('.panel.chart img, .panel.chart script').count(), 0);
  // The line that fails is marked.
  assert.match(await page.textContent('.cm-line.cm-fails'), /assert/);
}));
