import { expect, test } from 'vitest';
import { isSqliteUrl, sqliteFileOf } from './sqlite-url.ts';

test.each([
  ['sqlite:data/store.db', 'data/store.db'],
  ['sqlite:/srv/store.db', '/srv/store.db'],
  ['sqlite:///srv/store.db', '/srv/store.db'],
  ['sqlite::memory:', undefined],
  ['sqlite://:memory:', undefined],
  ['sqlite:', undefined],
])('%s is of SQLite, in the file %s', (url, file) => {
  expect(isSqliteUrl(url)).toBe(true);
  expect(sqliteFileOf(url)).toBe(file);
});

test('other URLs have no file of SQLite', () => {
  expect(isSqliteUrl('postgres://me@localhost/sqlite:')).toBe(false);
  expect(sqliteFileOf('postgres://me@localhost/sqlite:')).toBeUndefined();
});
