/** Packs what makes up the gateway and the client into `release/`, as `npm publish` would; run the build before. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from './run.ts';

const folder = resolve(import.meta.dirname, '../release');
rmSync(folder, { recursive: true, force: true });
process.exitCode = run('pnpm', [
  '--filter',
  'rostack-*',
  '--loglevel',
  'warn',
  'pack',
  '--pack-destination',
  folder,
]);
