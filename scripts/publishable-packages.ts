import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.ts';

export interface Publishable {
  readonly name: string;
  readonly version: string;
  /** Relative to the root folder: `packages/rostack-core`. */
  readonly directory: string;
  /** Names of the workspace packages that it depends on. */
  readonly needs: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages to publish: each after the workspace packages that it depends on, otherwise by name. */
export function publishablePackages(): Publishable[] {
  const manifests = new Map<string, Manifest & Pick<Publishable, 'directory'>>();
  for (const file of globSync('{packages,apps}/*/package.json', { cwd: root }).sort()) {
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
    if (manifest.private !== true) {
      manifests.set(manifest.name, { ...manifest, directory: dirname(file).replaceAll('\\', '/') });
    }
  }
  const ordered = new Map<string, Publishable>();
  const visit = ({
    name,
    version,
    directory,
    dependencies,
    peerDependencies,
  }: Manifest & { directory: string }) => {
    const needs = Object.keys({ ...dependencies, ...peerDependencies }).filter((one) => manifests.has(one));
    for (const one of needs) {
      const needed = manifests.get(one);
      if (needed !== undefined && !ordered.has(one)) visit(needed);
    }
    ordered.set(name, { name, version, directory, needs });
  };
  for (const manifest of manifests.values()) visit(manifest);
  return [...ordered.values()];
}
