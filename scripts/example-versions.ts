/** Writes into the manifests of the examples which versions they are tested with, so that each can be copied as it is. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './run.ts';

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The manifest of each example with the versions of the catalog and of our own packages, as text by file. */
export function exampleManifests(): ReadonlyMap<string, string> {
  const { catalog } = parse(read('pnpm-workspace.yaml')) as { catalog: Readonly<Record<string, string>> };
  const ours = new Map(
    globSync('{packages,apps}/*/package.json', { cwd: root }).map((file) => {
      const { name, version } = JSON.parse(read(file)) as Manifest;
      return [name, `^${version}`] as const;
    }),
  );
  const versionOf = (name: string): string => {
    const version = ours.get(name) ?? catalog[name];
    if (version === undefined) throw new Error(`${name} is neither ours nor in the catalog`);
    return version;
  };
  const withVersions = (needed: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.keys(needed).map((name) => [name, versionOf(name)]));
  return new Map(
    globSync('examples/*/package.json', { cwd: root }).map((file) => {
      const manifest = JSON.parse(read(file)) as Manifest;
      const { dependencies, devDependencies } = manifest;
      const written = {
        ...manifest,
        dependencies: withVersions(dependencies),
        ...(devDependencies !== undefined && { devDependencies: withVersions(devDependencies) }),
      };
      return [file, `${JSON.stringify(written, null, 2)}\n`];
    }),
  );
}

if (import.meta.main) for (const [file, text] of exampleManifests()) writeFileSync(join(root, file), text);
