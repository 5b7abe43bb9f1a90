import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { freePort } from 'test-support/free-port';
import { expect, test } from 'vitest';
import { runExplorer } from './support/explorer-process.ts';

const directory = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(directory, 'README.md'), 'utf8');
const page = readFileSync(resolve(directory, '../../docs/libraries/explorer.md'), 'utf8');

test('the program serves the explorer', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', example.replace('3000', String(port))],
    {
      cwd: directory,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  try {
    const ask = () => fetch(`http://localhost:${port}/explorer/`).then((answer) => answer.text());
    await expect.poll(() => ask().catch(String), { timeout: 20_000 }).toContain('?resource=stations');
  } finally {
    child.kill();
  }
});

test('the table names every option of the command', async () => {
  await using help = runExplorer(['--help']);
  await help.exited();
  const options = [...help.stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z]+)/gm)].map(([, name = '']) => name);
  expect(options.length).toBeGreaterThan(3);
  const [table = ''] = /\| option {2,}\| meaning[\s\S]*?\n\n/.exec(page) ?? [];
  expect(options.filter((name) => !table.includes(name))).toEqual([]);
});
