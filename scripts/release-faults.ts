import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Publishable } from './publishable-packages.ts';

/** What keeps a release back, one sentence each: changesets that wait, versions that no changelog names. */
export function releaseFaults(
  root: string,
  packages: readonly Publishable[],
  { unversioned }: { readonly unversioned: boolean },
): string[] {
  const waiting = globSync('*.md', { cwd: join(root, '.changeset') }).filter((file) => file !== 'README.md');
  const faults =
    waiting.length === 0 || unversioned
      ? []
      : [
          `Changesets wait: ${waiting.sort().join(', ')}. Run \`npm run versions\` and merge the result first.`,
        ];
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
