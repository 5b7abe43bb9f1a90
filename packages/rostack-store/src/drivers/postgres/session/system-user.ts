import { userInfo } from 'node:os';
import { env } from 'node:process';

/**
 * Adds the name of the system's user to a URL without a user, as psql does. The driver takes it only from the variable USER, which services
 * and containers often lack.
 */
export function withSystemUser(url: string): string {
  if (env.PGUSER !== undefined || env.USER !== undefined || !URL.canParse(url)) return url;
  const named = new URL(url);
  if (named.username !== '' || named.searchParams.has('user')) return url;
  try {
    // Not in the URL's authority: a URL without a host, for a socket, cannot have a user there.
    named.searchParams.set('user', userInfo().username);
  } catch {
    // The system has no name for the user; the server's error tells what is missing.
  }
  return named.href;
}
