import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** More than that, and the night says so. */
const MAX_GROWTH = 1.25;

/** What the long proofs cost, in units of the work below: machines differ, and proofs grow without anybody's notice. */
const COSTS: readonly (readonly [name: string, units: number, args: readonly string[]])[] = [
  [
    '100 seeds of the simulation',
    24,
    [
      '--conditions=workspace-source',
      'tools/proving/simulation/main.ts',
      '--seeds',
      '100',
      '--processes',
      '1',
    ],
  ],
  [
    'a run of the kit',
    14,
    [
      'packages/rostack-conformance/test/whole/main.ts',
      '--embedded',
      '--stores=sqlite',
      '--releases=2026-08-13',
    ],
  ],
];

/** Work of the same kinds: JSON, hashes, maps and short-lived objects. */
const UNIT = `
  const { createHash } = require('node:crypto');
  const record = { id: 'a', numbers: Array.from({ length: 50 }, (_, i) => i / 7), text: 'x'.repeat(200) };
  const seen = new Map();
  for (let i = 0; i < 60_000; i += 1) {
    const text = JSON.stringify({ ...record, id: String(i % 5_000) });
    const read = JSON.parse(text);
    seen.set(read.id, createHash('sha256').update(text).digest('base64url'));
  }
  if (seen.size !== 5_000) process.exit(1);
`;

/** Processor time of the processes that this one has waited for, user and system. */
function childSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function secondsOf(args: readonly string[]): number {
  const before = childSeconds();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1_048_576,
  });
  expect(status, stderr).toBe(0);
  return childSeconds() - before;
}

let unitSeconds: number;

beforeAll(() => {
  unitSeconds = (secondsOf(['-e', UNIT]) + secondsOf(['-e', UNIT])) / 2;
});

describe('the processor time has not grown by a quarter:', () => {
  test.for(COSTS)('%s', { timeout: 1_800_000 }, ([, units, args]) => {
    expect(secondsOf(args) / unitSeconds).toBeLessThan(units * MAX_GROWTH);
  });
});
