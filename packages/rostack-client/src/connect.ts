import { DISCOVERY_PATH } from 'rostack-core';
import { RostackClient } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import type { Credentials } from './credential/credential.ts';
import { UsageError } from './error/index.ts';

/**
 * Reads and checks a server's discovery document; gateway connections are made when something is subscribed.
 * @param url the server's origin, or the URL of its discovery document; https, or http on loopback where an option allows it
 * @param credentials one credential, or a callback that gives and renews them
 * @throws UsageError `invalid_options`, and every error of a request (see README)
 * @see protocol section 2
 */
export async function connect(
  url: string | URL,
  credentials: Credentials,
  options: ClientOptions = {},
): Promise<RostackClient> {
  const base = URL.parse(String(url));
  if (base === null) throw new UsageError(`${String(url)} is not a URL`);
  if (base.pathname === '/' && base.search === '') base.pathname = DISCOVERY_PATH;
  base.hash = '';
  options.signal?.throwIfAborted();
  const client = new RostackClient(base, credentials, options);
  try {
    await client.start();
  } catch (error) {
    await client.close();
    throw error;
  }
  return client;
}
