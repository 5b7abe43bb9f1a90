/** Packs all publishable packages into `release/`, as they are published to the registry; build first. */
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packPackages } from './pack-packages.ts';
import { root } from './run.ts';

const folder = join(root, 'release');
rmSync(folder, { recursive: true, force: true });
for (const { filename } of packPackages(folder)) console.log(relative(root, filename));
