/** Writes the versions that projects begin with to `dist/versions.json`: those that this repository tests with. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const folder = resolve(import.meta.dirname, '..');
const root = resolve(folder, '../..');
const read = (file: string): string => readFileSync(file, 'utf8');

const { devDependencies } = JSON.parse(read(join(folder, 'package.json'))) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const { catalog } = parse(read(join(root, 'pnpm-workspace.yaml'))) as {
  readonly catalog: Readonly<Record<string, string>>;
};

function versionOf(name: string): string | undefined {
  if (devDependencies[name] === 'catalog:') return catalog[name];
  const { version } = JSON.parse(read(join(folder, 'node_modules', name, 'package.json'))) as {
    readonly version: string;
  };
  return `^${version}`;
}

const versions = Object.fromEntries(Object.keys(devDependencies).map((name) => [name, versionOf(name)]));
writeFileSync(join(folder, 'dist/versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
