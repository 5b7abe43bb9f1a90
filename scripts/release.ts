/**
 * Publishes what the registry does not have yet: checks versions, builds, packs, publishes.
 * `npm run release [-- --registry URL] [--unversioned]`: another registry than npm's, with changesets that wait.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packPackages } from './pack-packages.ts';
import { publishablePackages } from './publishable-packages.ts';
import { releaseFaults } from './release-faults.ts';
import { root, run } from './run.ts';

const { values } = parseArgs({
  options: {
    registry: { type: 'string', default: 'https://registry.npmjs.org/' },
    unversioned: { type: 'boolean', default: false },
  },
});

/** Whether the registry has this version, so that a run that failed half-way can be run again. */
async function isPublished(name: string, version: string): Promise<boolean> {
  const answer = await fetch(new URL(name, values.registry));
  if (answer.status === 404) return false;
  if (!answer.ok) throw new Error(`${values.registry} answers ${answer.status} when asked for ${name}.`);
  const { versions = {} } = (await answer.json()) as { versions?: Readonly<Record<string, unknown>> };
  return version in versions;
}

/** In a job that GitHub gives an identity, the registry is told which commit and workflow made the package. */
const provenance = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined ? [] : ['--provenance'];

function publish(filename: string, version: string): boolean {
  const tag = version.includes('-') ? 'next' : 'latest';
  const options = [`--registry=${values.registry}`, '--access=public', `--tag=${tag}`, ...provenance];
  return run('npm', ['publish', filename, '--loglevel=error', ...options]) === 0;
}

const faults = releaseFaults(root, publishablePackages(), values);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
if (run('turbo', ['run', 'build', '--output-logs=errors-only']) !== 0) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const tarballs = packPackages(folder);
  const published = await Promise.all(tarballs.map(({ name, version }) => isPublished(name, version)));
  for (const [index, { name, version, filename }] of tarballs.entries()) {
    if (published[index]) console.log(`${name}@${version} is published already.`);
    else if (!publish(filename, version)) {
      process.exitCode = 1;
      break;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
