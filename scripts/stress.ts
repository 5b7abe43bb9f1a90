/**
 * Runs test files three times while two processes keep two cores busy: `pnpm stress [FILE...]`, by default those that
 * have changed. A test that fails here depends on the machine's speed.
 */
import { spawn } from 'node:child_process';
import { baseOfChanges, changedFiles } from './changes.ts';
import { run } from './run.ts';

const RUNS = 3;
const BUSY_PROCESSES = 2;

const given = process.argv.slice(2);
const files =
  given.length > 0 ? given : changedFiles(baseOfChanges()).filter((file) => /\.test\.tsx?$/.test(file));
const untimed = files.filter((file) => !/\.timed\.test\.tsx?$/.test(file));
if (untimed.length === 0) {
  console.error('No test file has changed: pass the files to run.');
  process.exit(given.length > 0 ? 1 : 0);
}

const busy = Array.from({ length: BUSY_PROCESSES }, () => spawn(process.execPath, ['-e', 'for (;;);']));
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
});
for (let round = 1; round <= RUNS && process.exitCode === undefined; round += 1) {
  console.log(`run ${round} of ${RUNS}`);
  if (run('vitest', ['run', ...untimed]) !== 0) process.exitCode = 1;
}
process.exit();
