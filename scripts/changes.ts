import { execFileSync } from 'node:child_process';
import { root } from './run.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit where the present branch left main, or the present commit on main itself. */
export function baseOfChanges(): string {
  for (const main of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', main);
    } catch {
      // There is no such branch here.
    }
  }
  return git('rev-parse', 'HEAD');
}

/** Files that differ from a commit, those that git does not know yet among them; relative to the root. */
export function changedFiles(base: string): string[] {
  const tracked = git('diff', '--name-only', '--diff-filter=d', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return `${tracked}\n${untracked}`.split('\n').filter((file) => file !== '');
}
