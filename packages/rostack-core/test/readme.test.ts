import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as core from '../src/index.ts';
import * as testing from '../src/testing/index.ts';

const directory = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(directory, 'README.md'), 'utf8');
const names = readFileSync(join(directory, '../../docs/libraries/core.md'), 'utf8');
const examples = [...`${readme}\n${names}`.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

test.each(examples.map((code, index) => [index + 1, code] as const))('example %i runs', (_, code) => {
  // Inside the package, so that its name leads to itself, and where nothing else looks.
  mkdirSync(join(directory, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(directory, 'dist/.readme-'));
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, code);
    const output = execFileSync(process.execPath, ['--conditions=workspace-source', file], {
      encoding: 'utf8',
      cwd: directory,
    });
    for (const [, call = '', expected = ''] of code.matchAll(
      /console\.log\((.*)\); \/\/ (true|\{ kind.*\})$/gm,
    )) {
      expect(output, call).toContain(expected);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every function that is named is exported, every error is in the table', () => {
  const named = [...`${readme}\n${names}`.matchAll(/`([a-z]\w+[A-Z]\w*)`/g)].map(([, name = '']) => name);
  const members = ['baseUrl', 'apiVersion'];
  expect(named.filter((name) => !(name in core || name in testing) && !members.includes(name))).toEqual([]);
  const errors = Object.keys(core).filter((name) => name.endsWith('Error') && /^[A-Z]/.test(name));
  expect(errors.filter((name) => !names.includes(`\`${name}\``))).toEqual([]);
  const functions = Object.entries(core).filter(
    ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
  );
  expect(functions.map(([name]) => name).filter((name) => !names.includes(`\`${name}\``))).toEqual([]);
});
