import { fork } from 'node:child_process';
import process from 'node:process';
import { getRequestListener } from '@hono/node-server';
import { runCli } from './run-cli.ts';

// Replaces Node's Request and Response with Hono's lighter ones: Node's make a stream and a copy of each body. Only the program does so; a
// process that embeds a gateway may need Node's own.
getRequestListener(() => new Response(null), { overrideGlobalObjects: true });

/** npx repeats a signal to the process group. Within this time a second signal counts as the same one; after it, it ends the process. */
const ECHO_MS = 1_000;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  const abort = () => stop.abort(signal);
  process.on(signal, abort);
  stop.signal.addEventListener('abort', () => {
    setTimeout(() => process.off(signal, abort), ECHO_MS).unref();
  });
}

/** Marks processes started by `fork`, since a process with a channel may be something else's worker; `main.ts` watches the channel. */
const WORKER_MARK = 'ROSTACK_GATEWAY_WORKER';
const isWorker = process.env[WORKER_MARK] !== undefined;

// Serving goes on when the log cannot be written: its reader has gone, or the disk is full.
process.stderr.on('error', () => {});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, is not a failure.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exitCode = 1;
});

const exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  nowMs: Date.now,
  stop: stop.signal,
  onReload: (reload) => {
    process.on('SIGHUP', reload);
    return () => void process.off('SIGHUP', reload);
  },
  fork: () =>
    fork(process.argv[1] ?? '', process.argv.slice(2), {
      env: { ...process.env, [WORKER_MARK]: '1' },
      serialization: 'advanced',
    }),
  supervisor: isWorker ? process : undefined,
});
if (exitCode !== 0) process.exitCode = exitCode;

// The channel to the supervisor would keep the process alive.
if (isWorker) {
  process.removeAllListeners('disconnect');
  if (process.connected) process.disconnect();
}
