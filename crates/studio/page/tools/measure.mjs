// Measures the page on a run of 10,000 steps: how long it takes to open, what a scrolled frame costs, how soon a step answers. See bench/studio.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { browse, mazurka, root, serve } from '../tests/studio.mjs';

const STEPS = 10_000, FRAMES = 300, ANSWERS = 300;
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
const told = (name, value) => console.log(`${name}\t${typeof value === 'number' ? value.toFixed(1) : value}`);

const folder = await mkdtemp(join(tmpdir(), 'studio-'));
const scenario = join(folder, 'long.scenario.json');
const model = join(root, 'crates/studio/page/tests/fixtures/long.pml');
const made = spawnSync(process.execPath, [join(root, 'crates/studio/page/tools/run.mjs'), model, String(STEPS), scenario], { env: { ...process.env, MAZURKA: mazurka }, stdio: 'inherit' });
if (made.status !== 0) process.exit(1);

const assets = join(root, 'crates/studio/assets');
let compressed = 0;
for (const name of await readdir(assets)) compressed += gzipSync(await readFile(join(assets, name)), { level: 9 }).length;
told('page, compressed (kB)', compressed / 1000);

const { url, pid, stop } = await serve(scenario);
/** The processor time of the server, in milliseconds; 0 where the system does not tell. */
const worked = async () => {
  try { const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' '); return (Number(fields[11]) + Number(fields[12])) * 10; } catch { return 0; }
};
const ask = async (question, body) => {
  const response = await fetch(`${url}api/${question}`, { method: 'POST', headers: { origin: new URL(url).origin }, body: JSON.stringify(body) });
  return response.json();
};
let view = await ask('act', { do: 'look' });
const chart = { version: view.chart.version, rows: view.chart.rows.length, stretches: view.chart.stretches.length };
const have = { revision: view.revision, branch: view.branch, steps: view.length, chart };
const answers = [];
for (let number = 0; number < ANSWERS; number += 1) {
  const began = performance.now();
  view = await ask('act', { have, do: number % 2 ? 'forward' : 'back' });
  answers.push(performance.now() - began);
}
told('a step is answered, median (ms)', quantile(answers, 0.5));
told('a step is answered, 95 % (ms)', quantile(answers, 0.95));

const browser = await browse();
const opened = [], spent = [];
let page;
for (let number = 0; number < 5; number += 1) {
  await page?.close();
  page = await browser.context.newPage();
  const metrics = await page.context().newCDPSession(page);
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
  const [began, before] = [performance.now(), await worked()];
  await page.goto(url);
  await page.waitForSelector('html[data-ready=yes]');
  opened.push(performance.now() - began);
  const all = (await metrics.send('Performance.getMetrics')).metrics;
  spent.push(await worked() - before + (all.find(metric => metric.name === 'TaskDuration')?.value ?? 0) * 1000);
}
told(`${STEPS} steps open, median (ms)`, quantile(opened, 0.5));
told(`${STEPS} steps open, processor time of server and page (ms)`, quantile(spent, 0.5));
told('first paint (ms)', await page.evaluate(() => performance.getEntriesByName('first-paint')[0].startTime));

const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const busy = async () => (await session.send('Performance.getMetrics')).metrics.find(metric => metric.name === 'TaskDuration').value * 1000;
const frames = [];
await page.evaluate(() => { document.querySelector('.panel.chart .scroll').scrollTop = 0; });
for (let number = 0; number < FRAMES; number += 1) {
  const before = await busy();
  await page.evaluate(() => new Promise(done => {
    document.querySelector('.panel.chart .scroll').scrollTop += 180;
    requestAnimationFrame(() => requestAnimationFrame(done));
  }));
  frames.push(await busy() - before);
}
told('main thread per scrolled frame, median (ms)', quantile(frames, 0.5));
told('main thread per scrolled frame, 95 % (ms)', quantile(frames, 0.95));
await browser.close();
stop();
await rm(folder, { recursive: true, force: true });
