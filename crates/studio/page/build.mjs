// Builds the page into ../assets, or into the folder that is named. The same sources give the same bytes.
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const to = process.argv[2] ?? join(here, '..', 'assets');
await mkdir(to, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { studio: 'src/main.tsx' },
  outdir: to,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const name of ['index.html', 'icon.svg']) await copyFile(join(here, 'src', name), join(to, name));
