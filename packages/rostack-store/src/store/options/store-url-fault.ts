import { isSqliteUrl } from './sqlite-url.ts';

const POSTGRES_SCHEME = /^postgres(?:ql)?:\/\//;
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;

// A URL is not shown: it may contain a password.
const NO_URL =
  'the URL starts with neither sqlite: nor postgres:, or cannot be read: use sqlite:<file>, sqlite::memory: or postgres://user:password@host:port/database';
const ENCODE = 'in a user name and a password write %23 for #, %40 for @, %2F for /, %3F for ? and %25 for %';

/** What is wrong with the URL of a store, in a sentence without any part of it; undefined if it can be used. */
export function storeUrlFault(url: unknown): string | undefined {
  if (typeof url !== 'string') return NO_URL;
  if (isSqliteUrl(url)) return undefined;
  const scheme = POSTGRES_SCHEME.exec(url)?.[0];
  if (scheme === undefined) return NO_URL;
  const rest = url.slice(scheme.length);
  const authority = rest.slice(0, rest.search(/[/?]|$/));
  if (rest.includes('#')) return `the URL has a #, behind which nothing is read: ${ENCODE}`;
  if (authority.split('@').length > 2) return `the URL has more than one @ before its host: ${ENCODE}`;
  if (BROKEN_ESCAPE.test(rest)) return `the URL has a % that begins no escape: ${ENCODE}`;
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(','))
    return 'the URL names several hosts: name the one that is written to, or a proxy that knows it';
  return URL.canParse(url) ? undefined : `${NO_URL}; ${ENCODE}`;
}
