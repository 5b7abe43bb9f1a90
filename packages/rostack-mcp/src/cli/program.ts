import process from 'node:process';
import { runMcpCommand } from './run-command.ts';

const stop = new AbortController();
// A second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

process.exitCode = await runMcpCommand(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  stop: stop.signal,
});
// What still waits for a server would keep the process alive.
if (stop.signal.aborted) process.stdout.write('', () => process.exit());
