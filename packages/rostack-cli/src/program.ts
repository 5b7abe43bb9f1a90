import process from 'node:process';
import { runCli } from './run-cli.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => stop.abort());
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as head, ends the program without an error.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  stop: stop.signal,
});
// What still waits for a server would keep the process alive.
if (stop.signal.aborted) process.stdout.write('', () => process.exit());
