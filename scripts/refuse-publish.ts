/** Stops `npm publish` and `pnpm publish` in a package's folder: they would publish without checks and without provenance. */
import { readFileSync } from 'node:fs';

const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
console.error(`${name} is published with all others by the workflow "release" on GitHub, which runs`);
console.error('`npm run release` in the root of the repository. CONTRIBUTING.md tells how.');
process.exitCode = 1;
