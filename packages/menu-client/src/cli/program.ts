import { systemClock } from '../http/clock.ts';
import { runCli } from './run-cli.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early, such as head, is not a failure.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exitCode = 1;
});

const { env: environment, stdin, stdout, stderr } = process;
const exitCode = await runCli(process.argv.slice(2), {
  environment,
  stdin,
  stdout,
  stderr,
  nowMs: () => systemClock.nowMs(),
});
if (exitCode !== 0) process.exitCode = exitCode;
