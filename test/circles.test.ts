import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const root = resolve(import.meta.dirname, '..');
/** Not of `import()`: what is loaded later may import from what loads it. */
const RELATIVE_IMPORT = /\b(?:from|import)\s*['"](\.[^'"]+)['"]/g;

/** The files below a `src` with what they import from it, types included. */
function importsOf(source: string): Graph {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !/\.test\.tsx?$/.test(file));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const specifiers = readFileSync(join(source, file), 'utf8').matchAll(RELATIVE_IMPORT);
      const imported = [...specifiers].map(([, specifier = '']) => join(dirname(file), specifier));
      return [file, new Set(imported.filter((path) => known.has(path)))];
    }),
  );
}

/** The same by folder. A file at the root counts for itself, and what a barrel exports again is not what its folder needs. */
function byFolder(imports: Graph): Graph {
  const nodeOf = (file: string) => (dirname(file) === '.' ? file : dirname(file));
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    if (basename(file) === 'index.ts') continue;
    const from = nodeOf(file);
    const needed = folders.get(from) ?? new Set();
    folders.set(from, needed);
    for (const path of imported) if (nodeOf(path) !== from) needed.add(nodeOf(path));
  }
  return folders;
}

/** The imports that are part of a circle, `from -> to` each. */
function circlesOf(graph: Graph): string[] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of graph.get(from) ?? []) if (!seen.has(to)) reach(to, seen.add(to));
    return seen;
  };
  return [...graph].flatMap(([from, imported]) =>
    [...imported].filter((to) => reach(to).has(from)).map((to) => `${from} -> ${to}`),
  );
}

const packages = globSync('{packages,apps}/*', { cwd: root })
  .filter((directory) => existsSync(join(root, directory, 'src')))
  .sort();

describe.for(packages)('%s', (directory) => {
  const imports = importsOf(join(root, directory, 'src'));

  test('has no files that import each other in a circle', () => {
    expect(circlesOf(imports)).toEqual([]);
  });

  test('has no folders that import each other in a circle', () => {
    expect(circlesOf(byFolder(imports))).toEqual([]);
  });
});

test('finds a circle through others, and only that', () => {
  const graph = new Map(
    Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] }).map(([k, v]) => [k, new Set(v)]),
  );
  expect(circlesOf(graph)).toEqual(['b -> c', 'c -> b']);
});
