import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { publishablePackages } from '../scripts/publishable-packages.ts';

const root = resolve(import.meta.dirname, '..');
const IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'((?:rostack|menu)-[^']*)'/g;

/** Sources of everything that is published. */
const publishedFiles = (): string[] =>
  publishablePackages().flatMap(({ directory }) =>
    globSync(`${directory}/src/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file)),
  );

/** Uses of `instanceof` with a class of another of our packages, as `class of package`. */
function foreignClasses(source: string): string[] {
  const packageOf = new Map(
    [...source.matchAll(IMPORT)].flatMap(([, names = '', from = '']) =>
      names.split(',').map((name) => [name.trim(), from] as const),
    ),
  );
  return [...source.matchAll(/instanceof\s+(\w+)/g)].flatMap(([, name = '']) => {
    const from = packageOf.get(name);
    return from === undefined ? [] : [`${name} of ${from}`];
  });
}

test('published code knows errors of other packages by their code, since an application may have two copies', () => {
  const files = publishedFiles();
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    foreignClasses(readFileSync(join(root, file), 'utf8')).map((use) => `${file}: ${use}`),
  );
  expect(found).toEqual([]);
});

test('finds such a use', () => {
  const source =
    "import { hasCode, StoreError } from 'rostack-store';\nif (e instanceof StoreError) hasCode(e);";
  expect(foreignClasses(source)).toEqual(['StoreError of rostack-store']);
  expect(foreignClasses("import { X } from './x.ts';\ne instanceof X")).toEqual([]);
});

/** Classes of errors that have a code and do not say whether the same call may succeed later. */
const withoutRetryable = (source: string): string[] =>
  [...source.matchAll(/^(?:export )?(?:abstract )?class (\w+) extends Error \{(.*?)^\}/gms)].flatMap(
    ([, name = '', body = '']) =>
      /^ +(?:abstract )?readonly code\b/m.test(body) &&
      !/^ +(?:(?:\w+ )*readonly |get )retryable\b/m.test(body)
        ? [name]
        : [],
  );

test('errors that have a code say whether the same call may succeed later', () => {
  const found = publishedFiles().flatMap((file) =>
    withoutRetryable(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  // Its code is a number of JSON-RPC.
  expect(found).toEqual(['packages/menu-mcp/src/resources/menu-resource.ts: ResourceError']);
});

test('finds such an error', () => {
  const source = (body: string) => `export class LostError extends Error {\n${body}\n}\n`;
  expect(withoutRetryable(source("  readonly code = 'lost';"))).toEqual(['LostError']);
  expect(withoutRetryable(source("  readonly code = 'lost';\n  readonly retryable = false;"))).toEqual([]);
});
