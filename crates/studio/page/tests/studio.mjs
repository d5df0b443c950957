// Starts the studio and a browser for tests and screenshots.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
export const mazurka = process.env.MAZURKA ?? join(root, 'target', 'debug', 'mazurka');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why tests in a browser cannot be run here, if they cannot. */
export const missing = !existsSync(CHROMIUM) ? `there is no ${CHROMIUM}` : !existsSync(mazurka) ? `there is no ${mazurka}` : false;

/** Serves a model or a scenario. */
export async function serve(...args) {
  const child = spawn(mazurka, ['studio', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((found, failed) => {
    let text = '';
    child.stdout.on('data', data => {
      text += data;
      const line = /http:\S+/.exec(text);
      if (line) found(line[0]);
    });
    child.on('exit', code => failed(new Error(`mazurka studio ended with ${code}`)));
  });
  return { url, pid: child.pid, stop: () => { child.removeAllListeners('exit'); child.kill(); } };
}

/** A browser of its own, which asks nobody for anything. */
export async function browse() {
  const profile = await mkdtemp(join(tmpdir(), 'studio-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    viewport: { width: 1280, height: 720 },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return {
    context,
    async page(url, { width = 1280, height = 720, dark = false } = {}) {
      const page = await context.newPage();
      page.problems = [];
      page.asked = [];
      page.on('pageerror', error => page.problems.push(String(error)));
      page.on('console', message => { if (message.type() === 'error') page.problems.push(message.text()); });
      page.on('request', request => page.asked.push(request.url()));
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      await page.goto(url);
      await page.waitForSelector('html[data-ready=yes]');
      return page;
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
