import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from '../simulation/mutants/mutants.ts';
import { huntMutant, simulate } from './support/simulate.ts';

const SEEDS = 10_000;
const TIMEOUT_MS = 1_800_000;

test(
  `${SEEDS} simulated worlds converge`,
  async () => {
    const processes = String(Math.max(2, availableParallelism()));
    const { code, output } = await simulate('main.ts', '--seeds', String(SEEDS), '--processes', processes);
    expect(code, output).toBe(0);
  },
  TIMEOUT_MS,
);

describe('the simulation finds', () => {
  test.each(MUTANTS.map(({ name }) => name))(
    '"%s"',
    async (name) => {
      expect(await huntMutant(name)).toEqual(expect.any(Number));
    },
    TIMEOUT_MS,
  );
});
