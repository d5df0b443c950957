// Takes the screenshots of the book: screenshots.mjs FOLDER.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browse, mazurka, root, serve } from '../tests/studio.mjs';

const folder = process.argv[2];
await mkdir(folder, { recursive: true });
const browser = await browse();
const example = name => join('examples', name);

/** A picture of the studio over a file, after some work in it. */
async function shot(name, args, work, look = {}) {
  const served = await serve(...args);
  try {
    const page = await browser.page(served.url, look);
    await work(page);
    // The pointer is nowhere.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  } finally { served.stop(); }
}
const check = async page => { await page.keyboard.press('c'); await page.waitForSelector('.chip'); };
process.chdir(root);

await shot('studio', [example('promela/philosophers.pml')], check);
await shot('studio-dark', [example('promela/two-phase-commit.pml'), '--define', 'CRASH'], async page => { await check(page); await page.waitForSelector('.why'); }, { dark: true });
await shot('studio-space', [example('promela/philosophers.pml'), '--define', 'N=2'], async page => {
  await page.click('#tab-space');
  await page.selectOption('.graphs select', 'start');
  await page.selectOption('.graphs label:nth-child(3) select', 'stubborn');
  await page.waitForSelector('.picture .n.out');
  await page.evaluate(() => document.documentElement.style.setProperty('--lower', '470px'));
});
await shot('studio-vfsm', [example('vfsm/handshake.vfsm')], async page => {
  await page.keyboard.press('R');
  await page.waitForSelector('#step-20, .row.here');
  await page.click('#tab-automaton');
  await page.waitForSelector('.picture .n.here');
});
const built = await mkdtemp(join(tmpdir(), 'studio-program-'));
const program = join(built, 'lock-order');
execFileSync(mazurka, ['cc', '-g', '-o', program, 'crates/cli/tests/threads/deadlock-lock-order.c']);
await shot('studio-program', [program], async page => {
  for (const key of ['1', '1', '1', '2']) {
    const before = await page.textContent('.foot .at');
    await page.keyboard.press(key);
    await page.waitForFunction(old => document.querySelector('.foot .at').textContent !== old, before);
  }
  await page.selectOption('.watches select', 'a');
  await page.waitForSelector('.watch');
});
await rm(built, { recursive: true, force: true });
await shot('studio-phone', [example('promela/philosophers.pml')], check, { width: 390, height: 844 });
await browser.close();
