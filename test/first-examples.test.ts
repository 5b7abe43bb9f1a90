import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { publishablePackages } from '../scripts/publishable-packages.ts';
import { beginningOf } from './support/readme-examples.ts';

const root = resolve(import.meta.dirname, '..');
const beginnings = new Map(
  publishablePackages().map(({ name, directory }) => [
    name,
    beginningOf(readFileSync(join(root, directory, 'README.md'), 'utf8'), name),
  ]),
);

test('first examples import what the README installs, and nothing else', () => {
  for (const [name, { packages: installed, language, code }] of beginnings) {
    if (language !== 'ts') continue;
    const imported = [...code.matchAll(/ from '(@[^/']+\/[^/']+|[^@/'][^/']*)/g)].map((match) => match[1]);
    expect(imported.length, name).toBeGreaterThan(0);
    const missing = imported.filter((one) => !one?.startsWith('node:') && !installed.includes(one ?? ''));
    expect(missing, name).toEqual([]);
  }
});
