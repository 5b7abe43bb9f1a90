import { expecting, type OptionCheck, objectWith, optional } from 'rostack-core';

const MIN_KEY_BYTES = 32;

/** A secret that keys an HMAC. */
export const aSecretKey: OptionCheck = expecting(
  `a Uint8Array of at least ${MIN_KEY_BYTES} bytes`,
  (value) => value instanceof Uint8Array && value.byteLength >= MIN_KEY_BYTES,
);

/** A number above 0; no limit is `Infinity`. */
export const aPositiveNumber: OptionCheck = expecting(
  'a number above 0',
  (value) => typeof value === 'number' && value > 0,
);

export const aMap: OptionCheck = expecting('a Map', (value) => value instanceof Map);

export const aRateLimiter: OptionCheck = objectWith('consume');

/** What a proxy takes off the front of paths; left out, it is nothing. */
export const aStrippedPrefix: OptionCheck = optional(
  expecting(
    'a path such as "/rostack", or an empty text',
    (value) => typeof value === 'string' && (value === '' || (value.startsWith('/') && !value.endsWith('/'))),
  ),
);

/** Values of the Host field that are answered; left out, those of the advertised URLs. */
export const servedHosts: OptionCheck = optional(
  expecting(
    "'any' or an array of hosts",
    (value) => value === 'any' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
  ),
);

/** Methods that every record source has. */
const SOURCE_METHODS = ['head', 'page', 'get', 'tagAt', 'read', 'watch'] as const;

export const aRecordSource: OptionCheck = objectWith(...SOURCE_METHODS);

/** The part of a discovery document without which nothing can be said of the rest. */
export const aDiscoveryDocument: OptionCheck = expecting(
  'a discovery document, as defineImplementation makes it',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    ['implementation', 'endpoints', 'authentication', 'capabilities', 'resources'].every(
      (member) => typeof (value as Readonly<Record<string, unknown>>)[member] === 'object',
    ),
);
