import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the working tree in which sources may be changed. It shares the installed packages with the original. */
export interface CopiedTree extends Disposable {
  readonly root: string;
}

/** Copies what git tracks or would track below `root`, what was built, and the workspace's links to its packages. */
export function copyTree(root: string): CopiedTree {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of files.split('\0')) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  }
  linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'));
  // What was built from the same sources is not built again.
  if (existsSync(join(root, '.turbo'))) symlinkSync(join(root, '.turbo'), join(copy, '.turbo'));
  // These folders hold relative links only, which lead to the copy's own packages.
  const manifests = files.split('\0').filter((file) => file.endsWith('/package.json'));
  for (const folder of manifests.map(dirname)) {
    for (const name of ['node_modules', 'dist']) {
      const from = join(root, folder, name);
      if (existsSync(from))
        cpSync(from, join(copy, folder, name), { recursive: true, verbatimSymlinks: true });
    }
  }
  return {
    root: copy,
    [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** Fills `to` with links to what is in `from`; those that lead to a package of the workspace lead to the copy's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = entry.isSymbolicLink() ? readlinkSync(join(from, entry.name)) : '';
    symlinkSync(target.startsWith('../') ? target : join(from, entry.name), join(to, entry.name));
  }
}
