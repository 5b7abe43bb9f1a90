import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SOURCE_HASH_FILE, sourceHash } from './source-hash.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * The absolute path of a built program.
 * @param path from the root of the repository: `apps/rostack-gateway/dist/cli/main.js`
 * @throws Error when its package, or one of the workspace that it depends on, has changed since it was built
 */
export function builtProgram(path: string): string {
  const [folder = '', name = ''] = path.split('/');
  const stale = [...withDependencies(`${folder}/${name}`)].filter((each) => !isBuilt(each));
  if (stale.length > 0) {
    throw new Error(`dist is older than the sources of ${stale.join(', ')}: run npm run build`);
  }
  return join(ROOT, path);
}

function isBuilt(directory: string): boolean {
  const file = join(ROOT, directory, SOURCE_HASH_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === sourceHash(join(ROOT, directory));
}

/** The package and those of the workspace that it needs when it runs, all by their directories. */
function withDependencies(directory: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(directory)) return found;
  found.add(directory);
  const manifest = JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8')) as Manifest;
  for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    if (range.startsWith('workspace:')) withDependencies(`packages/${name}`, found);
  }
  return found;
}
