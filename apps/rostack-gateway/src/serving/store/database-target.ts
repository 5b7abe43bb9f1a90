import { isSqliteUrl, sqliteFileOf } from '../../text/sqlite-url.ts';

/** Where a store's URL leads, for people: never with a password. */
export function databaseTarget(url: string): string {
  if (isSqliteUrl(url)) return `the file ${sqliteFileOf(url) ?? ':memory:'}`;
  if (!URL.canParse(url)) return 'the database';
  const { hostname, port, pathname, username } = new URL(url);
  const name = pathname.slice(1) || username || 'of this user';
  return `the database ${name} at ${hostname || 'localhost'}:${port || '5432'}`;
}
