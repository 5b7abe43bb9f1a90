import type { LookupAddress } from 'node:dns';
import { lookup as resolveHost } from 'node:dns';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Vendor } from 'menu-client';
import { PhotoError } from './photo-error.ts';
import { checkPhotoUrl, type PhotoRules, type PhotoTarget } from './photo-rules.ts';

export interface FetchLimits {
  /** Of the whole exchange, redirects included. @default 10000 */
  readonly timeoutMs: number;
  /** @default 8388608 (8 MiB) */
  readonly maxBytes: number;
}

export const FETCH_LIMITS: FetchLimits = { timeoutMs: 10_000, maxBytes: 8 * 1024 * 1024 };

const RASTER_TYPES = /^image\/(png|jpe?g|pjpeg|webp|gif|avif)\s*(;|$)/i;
const MAX_REDIRECTS = 2;

function request(target: PhotoTarget, signal: AbortSignal, lookup: LookupFunction): Promise<IncomingMessage> {
  const { url, trusted } = target;
  return new Promise((resolve, reject) => {
    const options = {
      signal,
      headers: {
        Accept: 'image/webp,image/png,image/jpeg',
        'User-Agent': 'cafeteria-web',
        Referer: `${url.origin}/`,
      },
      ...(trusted ? {} : { lookup }),
    };
    const get = url.protocol === 'https:' ? getHttps : getHttp;
    get(url, options, resolve).on('error', reject);
  });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = new PhotoError('too_large', `the photo has more than ${maxBytes} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** True for an address of the public internet; loopback, private, link-local, mapped and reserved ones are not. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Resolves a host for a connection and refuses it when any of its addresses is not public. The connection uses what was checked. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveHost(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) {
      callback(error, '', 0);
      return;
    }
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new PhotoError('not_allowed', `${hostname} is not on the public internet`), '', 0);
      return;
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/**
 * Fetches a photo's bytes from an allowed host at a public address. A redirect is followed where its target is allowed too.
 *
 * @throws PhotoError
 */
export async function fetchPhoto(
  text: string,
  vendor: Vendor,
  rules: PhotoRules,
  limits: FetchLimits = FETCH_LIMITS,
  lookup: LookupFunction = publicLookup,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let target = checkPhotoUrl(text, vendor, rules);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await request(target, signal, lookup);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        target = checkPhotoUrl(new URL(headers.location, target.url).href, vendor, rules);
        continue;
      }
      try {
        if (statusCode !== 200) throw new PhotoError('not_found', `the host answered ${statusCode}`);
        if (!RASTER_TYPES.test(headers['content-type'] ?? ''))
          throw new PhotoError('not_a_photo', 'the host sent no photo');
        return await readBody(response, limits.maxBytes);
      } finally {
        response.destroy();
      }
    }
  } catch (error) {
    if (error instanceof PhotoError) throw error;
    if (signal.aborted) throw new PhotoError('timeout', `no photo within ${limits.timeoutMs} ms`);
    throw new PhotoError('unreachable', 'the host of the photo cannot be reached');
  }
  throw new PhotoError('not_allowed', 'too many redirects');
}
