/** Where a store's URL leads, for people: never with a password. */
export function databaseTarget(url: string): string {
  if (url.startsWith('sqlite:')) return `the file ${url.slice('sqlite:'.length)}`;
  if (!URL.canParse(url)) return 'the database';
  const { hostname, port, pathname, username } = new URL(url);
  const name = pathname.slice(1) || username || 'of this user';
  return `the database ${name} at ${hostname || 'localhost'}:${port || '5432'}`;
}
