#!/usr/bin/env node
import process from 'node:process';

// An older Node.js is refused by the command itself, in one sentence.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  process.stderr.write('rostack-client is now called rostack: use `rostack`, or `npx rostack-cli`.\n');
}
await import('./main.ts');
