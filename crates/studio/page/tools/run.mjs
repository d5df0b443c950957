// Writes a random run of a model as a scenario: run.mjs MODEL STEPS FILE [options of mazurka studio].
import { writeFile } from 'node:fs/promises';
import { serve } from '../tests/studio.mjs';

const [model, steps, file, ...rest] = process.argv.slice(2);
const { url, stop } = await serve(model, ...rest);
const ask = async (question, body) => {
  const response = await fetch(`${url}api/${question}`, { method: 'POST', headers: { origin: new URL(url).origin }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
await ask('act', { do: 'random', steps: Number(steps) });
const scenario = await ask('export', { text: 'scenario' });
await writeFile(file, scenario.text);
stop();
