import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from 'test-support/free-port';
import { describe, expect, test } from 'vitest';

const MAX_LINES = 60;

const root = resolve(import.meta.dirname, '..');
const examples = globSync('examples/*/package.json', { cwd: root })
  .map((file) => basename(resolve(root, file, '..')))
  .toSorted();

test('there are eleven examples', () => {
  expect(examples).toHaveLength(11);
});

test.for(examples)(`%s has at most ${MAX_LINES} lines of source, and a README`, (example) => {
  const inside = join(root, 'examples', example);
  const files = globSync('**/*.{ts,tsx,html}', {
    cwd: inside,
    exclude: ['**/node_modules', 'test', '.next'],
  });
  const sources = files.filter((file) => file !== 'next-env.d.ts');
  expect(sources).not.toEqual([]);
  const lines = sources.flatMap((file) => readFileSync(join(inside, file), 'utf8').split('\n'));
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(MAX_LINES);
  expect(readFileSync(join(inside, 'README.md'), 'utf8')).toContain(`# ${example}`);
});

// All of them, with our packages as they are published, at night.
describe('an example of each system passes its own tests with our packages as they are built here', () => {
  test.for(['fastify', 'lunch-bot'])('%s', async (example) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--run', 'test'], {
      cwd: join(root, 'examples', example),
      env: { ...process.env, NODE_ENV: undefined, PORT: String(await freePort()) },
    });
    expect(stdout).toMatch(/\bpass [1-9]/);
  });
});
