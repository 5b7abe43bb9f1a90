import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Publishable } from './publishable-packages.ts';
import { treeFaults } from './tree-faults.ts';

/** The registry to which a rehearsal must not publish. */
export const NPM_REGISTRY = 'https://registry.npmjs.org/';

export interface ReleaseOptions {
  readonly registry: string;
  /** Publishes to a private registry: from any branch, even with uncommitted changes and pending changesets. */
  readonly rehearsal: boolean;
}

/** What prevents a release, one sentence each: the folder's state, pending changesets, versions without a changelog entry. */
export function releaseFaults(
  root: string,
  packages: readonly Pick<Publishable, 'name' | 'version' | 'directory'>[],
  { registry, rehearsal }: ReleaseOptions,
): string[] {
  const faults: string[] = [];
  if (!rehearsal) {
    faults.push(...treeFaults(root));
    const waiting = globSync('*.md', { cwd: join(root, '.changeset') }).filter(
      (file) => file !== 'README.md',
    );
    if (waiting.length > 0) {
      faults.push(
        `Changesets wait: ${waiting.sort().join(', ')}. Run \`npm run versions\` and merge the result first.`,
      );
    }
  } else if (new URL(registry).host === new URL(NPM_REGISTRY).host) {
    faults.push('A rehearsal publishes nothing to npm: name another registry with --registry URL.');
  }
  for (const { name, version, directory } of packages) {
    const file = join(root, directory, 'CHANGELOG.md');
    const changelog = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const newest = /^## (\S+)$/m.exec(changelog)?.[1];
    if (newest !== version) {
      faults.push(
        `${directory}/CHANGELOG.md begins with ${newest ?? 'no version'}, but ${name} is ${version}.`,
      );
    }
  }
  return faults;
}
