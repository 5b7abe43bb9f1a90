import type { ImplementationTypes, Typed } from 'rostack-core';
import { DISCOVERY_PATH } from 'rostack-core/client';
import type { Credentials } from '../connection/credential/credentials.ts';
import { checkUsage, UsageError } from '../http/error/errors.ts';
import { RostackClient } from './client.ts';
import { type ClientOptions, clientOptions } from './client-options.ts';
import type { ClientOf } from './typed-client.ts';

/**
 * Reads and checks a server's discovery document; gateway connections are made when you subscribe to something. With the type of an
 * implementation, `connect<typeof implementation>(...)`, the client knows its resources, records, filters, fields and events.
 * @param url the server's origin, or the URL of its discovery document; https, or http on loopback if an option allows it
 * @param credentials one credential, or a callback that gives and renews them
 * @throws UsageError `invalid_options`, and every error of a request
 * @see https://github.com/rostack/rostack/blob/main/docs/libraries/client-api.md#errors
 * @see protocol section 2
 */
export async function connect(
  url: string | URL,
  credentials: Credentials,
  options?: ClientOptions,
): Promise<RostackClient>;
/**
 * Connects to a server whose implementation's type is known: `connect<typeof implementation>(...)`.
 * @throws UsageError `invalid_options`, and every error of a request
 * @see https://github.com/rostack/rostack/blob/main/docs/libraries/client-api.md#errors
 */
export async function connect<Implementation extends Typed<ImplementationTypes>>(
  url: string | URL,
  credentials: Credentials,
  options?: ClientOptions,
): Promise<ClientOf<Implementation>>;
export async function connect(
  url: string | URL,
  credentials: Credentials,
  options: ClientOptions = {},
): Promise<RostackClient> {
  // The text is not shown: if it is not a URL it may be a credential.
  const base = typeof url === 'string' || url instanceof URL ? URL.parse(String(url)) : null;
  if (base === null) throw new UsageError('url is not a URL: use one such as https://data.example.com');
  if (base.protocol !== 'https:' && base.protocol !== 'http:') throw withoutScheme(String(url));
  checkUsage(clientOptions, options);
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

/** `localhost:8951` is a URL of the scheme `localhost:`. */
function withoutScheme(url: string): UsageError {
  const isAddress = /^[\w.-]+:\d{1,5}(?:\/|$)/.test(url);
  const example = isAddress ? `https://${url}` : 'https://data.example.com';
  return new UsageError(
    `url has no http or https in front: use one such as ${example}; http is for servers on this computer, with the option allowInsecureLoopback`,
  );
}
