import { createHash, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/** Bytes of a digest: enough to tell passwords apart. */
const DIGEST_BYTES = 16;
/** Some 10 ms and 4 MiB. */
const COST: ScryptOptions = { N: 4096 };

/** Where the account's notes are kept; it does not show the user name. */
export function accountName(baseUrl: string, username: string): string {
  return `session ${createHash('sha256').update(`${baseUrl}\n${username}`).digest('hex').slice(0, 32)}`;
}

/**
 * Tells whether the credentials are those that were refused. It is kept where others may read it, so it is slow to make:
 * passwords cannot be tried on it by the million.
 */
export async function credentialsDigest(username: string, password: string): Promise<string> {
  return (await derive(password, `menu-client ${username}`, DIGEST_BYTES, COST)).toString('hex');
}

/** A UUID (version 8, RFC 9562) that is always the same for an account. */
export function deviceIdOf(username: string): string {
  const hex = createHash('sha256').update(`menu-client device of ${username}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
