import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import { huntMutant, simulate } from './support/simulate.ts';

const SEEDS = testRuns(6);
const TIMEOUT_MS = 300_000;

test(
  `${SEEDS} simulated worlds converge`,
  async () => {
    const { code, output } = await simulate('main.ts', '--seeds', String(SEEDS), '--processes', '2');
    expect(code, output).toBe(0);
    expect(output).toContain(`${SEEDS} seeds in`);
  },
  TIMEOUT_MS,
);

test(
  'a seed is the same world each time, to the last line of its trace',
  async () => {
    const [once, again] = await Promise.all([
      simulate('main.ts', '--seed', '1'),
      simulate('main.ts', '--seed', '1'),
    ]);
    expect(once.output.split('\n').length).toBeGreaterThan(500);
    expect(again.output).toBe(once.output);
  },
  TIMEOUT_MS,
);

/** One of the server's mutants and one of the client's, both found in the first worlds; the others are hunted at night. */
const QUICK = [
  'a replay goes live one change too early',
  'a client takes a bookmark without a replay from its cursor',
];

describe('the simulation finds', () => {
  test.each(QUICK)(
    '"%s"',
    async (name) => {
      expect(await huntMutant(name)).toEqual(expect.any(Number));
    },
    TIMEOUT_MS,
  );
});
