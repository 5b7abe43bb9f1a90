#!/usr/bin/env node
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runCli } from './run-cli.ts';

// What many requests make while the process is young would be allocated among the old objects from then on (decision 0014).
setFlagsFromString('--no-allocation-site-pretenuring');

/** A signal to the process group comes from npx once more; what comes within this time is the same wish, later it ends the process. */
const ECHO_MS = 1_000;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  const abort = () => stop.abort(signal);
  process.on(signal, abort);
  stop.signal.addEventListener('abort', () => {
    setTimeout(() => process.off(signal, abort), ECHO_MS).unref();
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
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
});
