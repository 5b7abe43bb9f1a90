import { isIP } from 'node:net';
import type { Vendor } from 'menu-client';
import { PhotoError } from './photo-error.ts';

// Hosts known to serve the operators' photos; `*.` matches any subdomain.
const HOSTS: Readonly<Record<Vendor, readonly string[]>> = {
  welstory: ['samsungwelstory.com', '*.samsungwelstory.com', 'welstory.com', '*.welstory.com'],
  shinsegae: ['planeatchoice.net', '*.planeatchoice.net'],
};

/** Where photos may come from. */
export interface PhotoRules {
  /** Origins named in the configuration; they may be on private addresses. */
  readonly trustedOrigins: readonly string[];
  /** Replaces every loopback origin: sample photos are kept by address, and the sample server's port changes. */
  readonly loopbackOrigin?: string;
}

export interface PhotoTarget {
  readonly url: URL;
  /** True for an origin of the configuration: its address may be private. */
  readonly trusted: boolean;
}

function isKnownHost(vendor: Vendor, host: string): boolean {
  return HOSTS[vendor].some((known) =>
    known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known,
  );
}

/**
 * The photo's address, if it may be fetched.
 *
 * @throws PhotoError `not_allowed`
 */
export function checkPhotoUrl(text: string, vendor: Vendor, rules: PhotoRules): PhotoTarget {
  const url = text.length <= 2048 && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new PhotoError('not_allowed', 'not the address of a photo');
  }
  if (rules.loopbackOrigin !== undefined && url.hostname === '127.0.0.1') {
    return { url: new URL(url.pathname, rules.loopbackOrigin), trusted: true };
  }
  if (rules.trustedOrigins.includes(url.origin)) return { url, trusted: true };
  const plain = (url.protocol === 'https:' || url.protocol === 'http:') && url.port === '';
  if (!plain || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || !isKnownHost(vendor, url.hostname)) {
    throw new PhotoError('not_allowed', `photos of ${vendor} are not taken from ${url.host}`);
  }
  return { url, trusted: false };
}
