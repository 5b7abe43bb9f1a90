import {
  aFunction,
  anObject,
  aText,
  expecting,
  listOf,
  type OptionCheck,
  optional,
  optionsOf,
  wholeNumber,
} from 'rostack-core';
import { anAuthenticator } from '../auth/authenticator.ts';
import {
  aDiscoveryDocument,
  aMap,
  aRateLimiter,
  aSecretKey,
  aStrippedPrefix,
  servedHosts,
} from '../guard/option-checks.ts';
import type { RostackAppOptions, ServedImplementation } from './app-options.ts';
import type { CorsOptions } from './cors.ts';
import type { CursorKeys } from './cursors.ts';
import type { HttpHooks } from './hooks.ts';
import type { PageCursorKey, PageCursorKeyring } from './page-cursor.ts';

const AES_256_KEY_BYTES = 32;

const pageKey: OptionCheck = optionsOf<PageCursorKey>({
  id: wholeNumber(0, 255),
  bytes: expecting(
    `a Uint8Array of ${AES_256_KEY_BYTES} bytes`,
    (value) => value instanceof Uint8Array && value.byteLength === AES_256_KEY_BYTES,
  ),
});

const callback = optional(aFunction);

const renderers: OptionCheck = (value, name) => {
  const fault = anObject(value, name);
  if (fault !== undefined) return fault;
  for (const [resource, byType] of Object.entries(value as object)) {
    const at = `${name}[${JSON.stringify(resource)}]`;
    const inner = anObject(byType, at);
    if (inner !== undefined) return inner;
    for (const [mediaType, render] of Object.entries(byType as object)) {
      const found = aFunction(render, `${at}[${JSON.stringify(mediaType)}]`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};

/** An implementation may have more than is used here. */
const implementation: OptionCheck = (value, name) => {
  const fault = anObject(value, name);
  if (fault !== undefined) return fault;
  const { discovery, schemas, resources } = value as Partial<ServedImplementation>;
  return (
    aDiscoveryDocument(discovery, `${name}.discovery`) ??
    aMap(schemas, `${name}.schemas`) ??
    anObject(resources, `${name}.resources`)
  );
};

/** @see createRostackApp */
export const appOptions: OptionCheck = optionsOf<RostackAppOptions>({
  implementation,
  sources: aFunction,
  authenticators: listOf(anAuthenticator),
  cursorKeys: optionsOf<CursorKeys>({
    pages: optionsOf<PageCursorKeyring>({ current: pageKey, previous: optional(listOf(pageKey)) }),
    events: aSecretKey,
  }),
  renderers: optional(renderers),
  hosts: servedHosts,
  strippedPathPrefix: aStrippedPrefix,
  cors: optional(
    optionsOf<CorsOptions>({
      origins: (value, name) => (value === '*' ? undefined : listOf(aText)(value, name)),
      maxAgeSeconds: optional(wholeNumber(0)),
    }),
  ),
  rateLimiter: optional(aRateLimiter),
  clientAddress: callback,
  hooks: optional(optionsOf<HttpHooks>({ onRequest: callback, onError: callback })),
  discoveryMaxAgeSeconds: optional(wholeNumber(0)),
  schemaMaxAgeSeconds: optional(wholeNumber(0)),
  pageCacheMaxBytes: optional(wholeNumber(0)),
  sourceTimeoutMs: optional(wholeNumber(1)),
  retryAfterMs: optional(wholeNumber(0)),
  clock: callback,
  makeRequestId: callback,
});
