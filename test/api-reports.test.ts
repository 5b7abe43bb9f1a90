import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiReport, type Entry, entries, writeApiReports } from './support/api-reports.ts';

const root = resolve(import.meta.dirname, '..');
/** Classes that users get an object of and cannot construct. */
const MADE_BY_FACTORIES = new Set([
  'Gateway',
  'Mover',
  'RateTable',
  'Store',
  'TokenTable',
  'WebSocketGateway',
]);

let reports: ReadonlyMap<Entry, ApiReport>;

beforeAll(() => {
  reports = writeApiReports();
});

describe.for(entries)('$name', (entry) => {
  test('has the API that its report says', async () => {
    await expect(reports.get(entry)?.text).toMatchFileSnapshot(entry.report);
  });

  test('describes everything that it exports', () => {
    expect(reports.get(entry)?.undocumented).toEqual([]);
  });

  test('has the values of its report at run time', async () => {
    const module: object = await import(entry.module);
    const declared = reports
      .get(entry)
      ?.text.matchAll(/^export (?:abstract )?(?:class|const|function) (\w+)/gm);
    const values = new Set([...(declared ?? [])].map(([, name = '']) => name));
    expect(Object.keys(module).sort()).toEqual(
      [...values].filter((name) => !MADE_BY_FACTORIES.has(name)).sort(),
    );
  });
});

test('every report is that of an entry', () => {
  const expected = new Set(entries.map(({ report }) => relative(root, report)));
  const found = globSync('{packages,apps}/*/api/*', { cwd: root });
  expect(found.filter((file) => !expected.has(file))).toEqual([]);
});
