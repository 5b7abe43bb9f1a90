#!/usr/bin/env node
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runCli } from './run-cli.ts';

// What many requests make while the process is young would be allocated among the old objects from then on (decision 0014).
setFlagsFromString('--no-allocation-site-pretenuring');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal));

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
