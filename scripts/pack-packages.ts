import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { publishablePackages } from './publishable-packages.ts';
import { root } from './run.ts';

export interface Tarball {
  readonly name: string;
  readonly version: string;
  /** The absolute path of the `.tgz`. */
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built packages into `folder`, in the given order. */
export function packPackages(folder: string, packages = publishablePackages()): Tarball[] {
  mkdirSync(folder, { recursive: true });
  const { status, stdout } = spawnSync(
    'pnpm',
    [...packages.map(({ name }) => `--filter=${name}`), 'pack', '--json', `--pack-destination=${folder}`],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`pnpm pack ended with ${status}.`);
  const packed = new Map((JSON.parse(stdout) as Tarball[]).map((tarball) => [tarball.name, tarball]));
  return packages.map(({ name }) => {
    const tarball = packed.get(name);
    if (tarball === undefined) throw new Error(`pnpm has not packed ${name}.`);
    return tarball;
  });
}
