const SCHEME = 'sqlite:';

/** Whether a URL names SQLite. */
export const isSqliteUrl = (url: string): boolean => url.startsWith(SCHEME);

/** The SQLite file of a URL, also written with `//`; undefined for other kinds of databases and for a store in memory. */
export function sqliteFileOf(url: string): string | undefined {
  const file = isSqliteUrl(url) ? url.slice(SCHEME.length).replace(/^\/\//, '') : '';
  return file === '' || file === ':memory:' ? undefined : file;
}
