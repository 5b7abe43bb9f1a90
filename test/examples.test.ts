import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

const examples = globSync('examples/*/package.json', { cwd: root }).toSorted();

test.for(examples)('%s: its own tests pass, with the packages as they are built', async (file) => {
  const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as { scripts?: Record<string, string> };
  expect(manifest.scripts).toHaveProperty('test');
  const { stdout } = await promisify(execFile)(process.execPath, ['--run', 'test'], {
    cwd: join(root, dirname(file)),
    timeout: 110_000,
  });
  expect(stdout).toMatch(/\bpass [1-9]/);
});
