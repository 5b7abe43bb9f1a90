#!/usr/bin/env node
import process from 'node:process';

// A worker whose supervisor has gone would go on serving, and nobody could end it. The supervisor may go while the program loads, or before:
// then there is no channel, and this is no command that somebody has started.
if (process.env['ROSTACK_GATEWAY_WORKER'] !== undefined) {
  if (!process.connected) process.exit();
  process.on('disconnect', () => process.exit());
}

// Nothing else is imported before the check: an older Node.js may fail to load the program.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) await import('./program.ts');
else {
  process.stderr.write(`rostack-gateway needs Node.js 22.18 or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
}
