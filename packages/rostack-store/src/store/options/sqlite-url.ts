const SCHEME = 'sqlite:';

/** Whether a store's URL names SQLite. */
export const isSqliteUrl = (url: string): boolean => url.startsWith(SCHEME);

/** What a URL of SQLite names, also written with `//`: a file, `:memory:`, or nothing. */
export const sqliteFileOf = (url: string): string => url.slice(SCHEME.length).replace(/^\/\//, '');
