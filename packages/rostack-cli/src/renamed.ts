#!/usr/bin/env node
import process from 'node:process';

process.stderr.write('rostack-client is now called rostack: use `rostack`, or `npx rostack-cli`.\n');
await import('./main.ts');
