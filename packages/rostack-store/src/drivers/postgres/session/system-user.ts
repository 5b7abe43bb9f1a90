import { userInfo } from 'node:os';
import { env } from 'node:process';

/**
 * Names the user of the system in a URL that names none, as psql does. The driver knows it only by the variable USER, which services
 * and containers often lack.
 */
export function withSystemUser(url: string): string {
  if (env.PGUSER !== undefined || env.USER !== undefined || !URL.canParse(url)) return url;
  const named = new URL(url);
  if (named.username !== '' || named.searchParams.has('user')) return url;
  try {
    // Not as the user name of the URL: one without a host, for a socket, can have none.
    named.searchParams.set('user', userInfo().username);
  } catch {
    // The system has no name for the user; the server says what it lacks.
  }
  return named.href;
}
