import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from '../simulation/mutants/mutants.ts';

const FOLDER = resolve(import.meta.dirname, '../simulation');
const SEEDS = testRuns(30);
const MUTANT_SEEDS = 1_000;
const TIMEOUT_MS = 300_000;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

function run(file: string, ...args: readonly string[]): Promise<Outcome> {
  const options = { maxBuffer: 256 * 1_048_576 };
  return new Promise((done) => {
    const program = ['--conditions=workspace-source', resolve(FOLDER, file), ...args];
    execFile(process.execPath, program, options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}

test(
  `${SEEDS} simulated worlds converge`,
  async () => {
    const { code, output } = await run('main.ts', '--seeds', String(SEEDS), '--processes', '2');
    expect(code, output).toBe(0);
    expect(output).toContain(`${SEEDS} seeds in`);
  },
  TIMEOUT_MS,
);

test(
  'a seed is the same world each time, to the last line of its trace',
  async () => {
    const [once, again] = await Promise.all([run('main.ts', '--seed', '1'), run('main.ts', '--seed', '1')]);
    expect(once.output.split('\n').length).toBeGreaterThan(500);
    expect(again.output).toBe(once.output);
  },
  TIMEOUT_MS,
);

describe('the simulation finds', () => {
  test.each(MUTANTS.map(({ name }) => name))(
    '"%s"',
    async (name) => {
      const { code, output } = await run('mutants/hunt.ts', name, String(MUTANT_SEEDS));
      expect(code, output).toBe(0);
      expect(JSON.parse(output), `not within ${MUTANT_SEEDS} seeds`).toMatchObject({
        seed: expect.any(Number),
      });
    },
    TIMEOUT_MS,
  );
});
