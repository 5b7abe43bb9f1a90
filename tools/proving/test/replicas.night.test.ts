import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describePostgresPrograms } from 'test-support/own-postgres/describe';
import { testRuns } from 'test-support/test-runs';
import { expect, test } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../replicas/main.ts');
const ROUNDS = testRuns(6);
const TIMEOUT_MS = 600_000;

describePostgresPrograms('followers that move between sites', () => {
  test(
    `${ROUNDS} rounds of sites that change places: nobody loses a place that the log has`,
    async () => {
      const { isRight, output } = await new Promise<{ isRight: boolean; output: string }>((done) => {
        execFile(process.execPath, [PROGRAM, '--rounds', String(ROUNDS)], (error, stdout, stderr) =>
          done({ isRight: error === null, output: stdout + stderr }),
        );
      });
      expect(isRight, output).toBe(true);
      expect(output).toMatch(new RegExp(`^held seed \\d+, .*: rounds ${ROUNDS}, promotions [1-9]`, 'm'));
    },
    TIMEOUT_MS,
  );
});
