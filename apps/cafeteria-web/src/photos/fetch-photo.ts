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
  /** For the whole exchange, redirects included. @default 10000 */
  readonly timeoutMs: number;
  /** @default 8388608 (8 MiB) */
  readonly maxBytes: number;
}

export const FETCH_LIMITS: FetchLimits = { timeoutMs: 10_000, maxBytes: 8 * 1024 * 1024 };

/** Whatever else a host calls a photo, its first bytes decide. */
const IMAGE_TYPES = /^image\/(?!svg)/i;
const MAX_REDIRECTS = 2;

/** What the operators' own apps send; that of PlanEAT Choice sends no Referer. */
const REFERERS: Readonly<Record<Vendor, { readonly Referer?: string }>> = {
  welstory: { Referer: 'https://welplus.welstory.com' },
  shinsegae: {},
};
/** Photo hosts refuse clients that are not browsers. */
const BROWSER =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36';

/** What is at the address of a photo. */
export interface FetchedPhoto extends PhotoValidators {
  readonly bytes: Buffer;
  /** True when the host says that it is still the known one; then there are no bytes. */
  readonly isSame: boolean;
}

/** What a host tells photos apart by. */
export interface PhotoValidators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

function request(
  target: PhotoTarget,
  vendor: Vendor,
  signal: AbortSignal,
  { lookup, known }: { readonly lookup: LookupFunction; readonly known: PhotoValidators },
): Promise<IncomingMessage> {
  const { url, trusted } = target;
  return new Promise((resolve, reject) => {
    const options = {
      signal,
      headers: {
        Accept: 'image/webp,image/png,image/jpeg',
        'User-Agent': BROWSER,
        ...REFERERS[vendor],
        ...(known.etag === undefined ? {} : { 'If-None-Match': known.etag }),
        ...(known.lastModified === undefined ? {} : { 'If-Modified-Since': known.lastModified }),
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

/** By the signatures of PNG, JPEG, GIF, WebP and AVIF. @see https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern */
function isRaster(bytes: Buffer): boolean {
  const signature = bytes.toString('latin1', 0, 12);
  return /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(signature);
}

/** True for an address of the public internet; loopback, private, link-local, mapped and reserved ones are not. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Resolves a host for a connection and refuses it when any of its addresses is not public. It connects to the addresses checked. */
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

/** A photo's bytes. @throws PhotoError */
export async function fetchPhoto(
  text: string,
  vendor: Vendor,
  rules: PhotoRules,
  limits: FetchLimits = FETCH_LIMITS,
  lookup: LookupFunction = publicLookup,
): Promise<Buffer> {
  return (await requestPhoto(text, vendor, rules, { limits, lookup })).bytes;
}

/** How a photo is requested. */
export interface PhotoRequest {
  readonly limits?: FetchLimits;
  readonly lookup?: LookupFunction;
  /** Of the photo that is kept: its bytes are not wanted again. @default none */
  readonly known?: PhotoValidators;
}

/**
 * Fetches a photo from an allowed host at a public address. Redirects are followed if their target is allowed too.
 *
 * @throws PhotoError
 */
export async function requestPhoto(
  text: string,
  vendor: Vendor,
  rules: PhotoRules,
  { limits = FETCH_LIMITS, lookup = publicLookup, known = {} }: PhotoRequest = {},
): Promise<FetchedPhoto> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let target = checkPhotoUrl(text, vendor, rules);
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await request(target, vendor, signal, { lookup, known });
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        target = checkPhotoUrl(new URL(headers.location, target.url).href, vendor, rules);
        continue;
      }
      try {
        const validators = { etag: headers.etag, lastModified: headers['last-modified'] };
        if (statusCode === 304) return { ...validators, isSame: true, bytes: Buffer.alloc(0) };
        if (statusCode !== 200) throw new PhotoError('not_found', `the host answered ${statusCode}`);
        const bytes = await readBody(response, limits.maxBytes);
        if (!IMAGE_TYPES.test(headers['content-type'] ?? '') && !isRaster(bytes))
          throw new PhotoError('not_a_photo', 'the host sent no photo');
        return { ...validators, isSame: false, bytes };
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
