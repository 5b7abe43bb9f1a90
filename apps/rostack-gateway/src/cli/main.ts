#!/usr/bin/env node
import process from 'node:process';

// Without its supervisor, a worker would keep serving and could not be stopped. The supervisor may end while the program loads, or before:
// then there is no channel, although the environment marks a worker.
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
