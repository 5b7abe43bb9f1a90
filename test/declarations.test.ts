import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const tsc = join(root, 'node_modules/.bin/tsc');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Packages for Node alone, whose users have the types of Node. */
const NODE_ONLY: ReadonlySet<string> = new Set(['rostack-store', 'rostack-server']);

/** What users import, by package. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  'rostack-core': ['rostack-core'],
  'rostack-client': ['rostack-client', 'rostack-client/browser', 'rostack-client/node'],
  'rostack-store': ['rostack-store'],
  'rostack-server': ['rostack-server'],
  'rostack-explorer': ['rostack-explorer'],
};

let folder = '';

/** As a package manager installs it: what is built, and what it needs at run time. */
function install(name: string, from: string): void {
  const target = join(folder, 'node_modules', name);
  const source = realpathSync(from);
  if (!name.startsWith('rostack-')) {
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(source, target);
    return;
  }
  for (const part of ['package.json', 'dist'])
    cpSync(join(source, part), join(target, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  const isOptional = (peer: string): boolean => manifest.peerDependenciesMeta?.[peer]?.optional === true;
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((peer) => !isOptional(peer));
  for (const dependency of [...Object.keys(manifest.dependencies ?? {}), ...peers]) {
    if (dependency in ENTRIES) continue;
    const place = join(folder, 'node_modules', dependency);
    rmSync(place, { force: true });
    install(dependency, join(source, 'node_modules', dependency));
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  install('@types/node', join(root, 'node_modules/@types/node'));
  for (const name of Object.keys(ENTRIES)) install(name, join(root, 'packages', name));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GROUPS: readonly [group: string, types: readonly string[], isOf: (name: string) => boolean][] = [
  ['any platform', [], (name) => !NODE_ONLY.has(name)],
  ['Node', ['node'], (name) => NODE_ONLY.has(name)],
];

describe.each(['bundler', 'nodenext'])('with moduleResolution %s', (moduleResolution) => {
  test.each(GROUPS)(
    'the declarations of packages for %s need nothing that users lack',
    { timeout: 60_000 },
    (group, types, isOf) => {
      const place = join(folder, `${group}-${moduleResolution}`);
      mkdirSync(place, { recursive: true });
      // The libraries of Vite's template.
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        target: 'es2022',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types,
        module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution,
      };
      writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      const entries = Object.entries(ENTRIES).flatMap(([name, names]) => (isOf(name) ? names : []));
      const lines = entries.map(
        (entry, index) => `import * as entry${index} from '${entry}';\nexport { entry${index} };`,
      );
      writeFileSync(join(place, 'main.ts'), lines.join('\n'));
      let output = '';
      try {
        execFileSync(tsc, ['-p', place], { encoding: 'utf8', cwd: folder });
      } catch (error) {
        output = (error as { readonly stdout: string }).stdout;
      }
      expect(output).toBe('');
    },
  );
});
