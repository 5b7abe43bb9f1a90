#!/usr/bin/env node
import process from 'node:process';

// Nothing else is imported before the check: an older Node.js may be unable to load the program.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) await import('./program.ts');
else {
  process.stderr.write(`rostack-cli needs Node.js 22.18 or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
}
