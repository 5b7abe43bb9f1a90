import { execFileSync } from 'node:child_process';

const MAX_NAMED = 5;

/** What keeps a folder from being released, one sentence each: a branch other than main, and uncommitted changes. */
export function treeFaults(folder: string): string[] {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const branch = git('branch', '--show-current').trim();
  const changed = git('status', '--porcelain', '--no-renames')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
  const faults: string[] = [];
  if (branch !== 'main') {
    const where = branch === '' ? 'no branch' : `the branch ${branch}`;
    faults.push(`This is ${where}, but releases are of main. Run \`git switch main\` first.`);
  }
  if (changed.length > 0) {
    const further = changed.length - MAX_NAMED;
    const named = [...changed.slice(0, MAX_NAMED), ...(further > 0 ? [`${further} more`] : [])];
    faults.push(
      `Not committed: ${named.join(', ')}. Commit this, or put it aside with \`git stash --include-untracked\`.`,
    );
  }
  return faults;
}
