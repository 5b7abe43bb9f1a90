#!/usr/bin/env node
import { runCli } from './run-cli.ts';

process.exitCode = await runCli({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
