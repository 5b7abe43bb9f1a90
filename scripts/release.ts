/**
 * Publishes what the registry does not have yet: checks the folder and the versions, builds, packs, publishes.
 * `npm run release [-- --rehearsal --registry URL]` publishes to a private registry, from any branch, even with pending changesets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packPackages } from './pack-packages.ts';
import { publishablePackages } from './publishable-packages.ts';
import { NPM_REGISTRY, releaseFaults } from './release-faults.ts';
import { root, run, runBeside } from './run.ts';

const { values } = parseArgs({
  options: {
    registry: { type: 'string', default: NPM_REGISTRY },
    rehearsal: { type: 'boolean', default: false },
  },
});

/** Whether the registry has this version, so that a run that failed halfway can be repeated. */
async function isPublished(name: string, version: string): Promise<boolean> {
  const answer = await fetch(new URL(name, values.registry));
  if (answer.status === 404) return false;
  if (!answer.ok) throw new Error(`${values.registry} answers ${answer.status} when asked for ${name}.`);
  const { versions = {} } = (await answer.json()) as { versions?: Readonly<Record<string, unknown>> };
  return version in versions;
}

/** In a job with an identity from GitHub, the registry records which commit and workflow made the package. */
const provenance = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined ? [] : ['--provenance'];

async function publish(filename: string, version: string): Promise<boolean> {
  const tag = version.includes('-') ? 'next' : 'latest';
  const options = [`--registry=${values.registry}`, '--access=public', `--tag=${tag}`, ...provenance];
  return (await runBeside('npm', ['publish', filename, '--loglevel=error', ...options])) === 0;
}

/** Publishes packages in parallel, each as soon as the ones it depends on are published. */
async function publishAll(missing: ReturnType<typeof publishablePackages>, folder: string): Promise<boolean> {
  const publishing = new Map<string, Promise<boolean>>();
  for (const { name, version, filename } of packPackages(folder, missing)) {
    const needs = missing.find((one) => one.name === name)?.needs ?? [];
    const needed = Promise.all(needs.flatMap((one) => publishing.get(one) ?? []));
    publishing.set(
      name,
      needed.then((there) => {
        if (there.every(Boolean)) return publish(filename, version);
        console.error(`${name}@${version} is left out: what it needs was not published. Run this again.`);
        return false;
      }),
    );
  }
  return (await Promise.all(publishing.values())).every(Boolean);
}

const packages = publishablePackages();
const faults = releaseFaults(root, packages, values);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

const published = await Promise.all(packages.map(({ name, version }) => isPublished(name, version)));
for (const [index, { name, version }] of packages.entries()) {
  if (published[index]) console.log(`${name}@${version} is published already.`);
}
const missing = packages.filter((_, index) => !published[index]);
if (missing.length > 0) {
  if (run('turbo', ['run', 'build', '--output-logs=errors-only']) !== 0) process.exit(1);
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    if (!(await publishAll(missing, folder))) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
