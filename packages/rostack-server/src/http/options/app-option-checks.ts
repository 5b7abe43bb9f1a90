import {
  aFunction,
  anInteger,
  anObject,
  aString,
  checksOf,
  listOf,
  type OptionCheck,
  type OptionChecks,
  optional,
  optionsOf,
} from 'rostack-core';
import { servedOptions } from '../../options/served-options.ts';
import type { CorsOptions } from '../request/cors.ts';
import { HTTP_NUMBERS, type HttpSettings, type RostackAppOptions } from './app-options.ts';
import { sharingOptions } from './sharing-options.ts';

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

/** @see HttpSettings */
export const httpSettings: OptionChecks<HttpSettings> = {
  ...checksOf(HTTP_NUMBERS),
  renderers: optional(renderers),
  cors: optional(
    optionsOf<CorsOptions>({
      origins: (value, name) => (value === '*' ? undefined : listOf(aString)(value, name)),
      maxAgeSeconds: optional(anInteger(0)),
    }),
  ),
  sharing: optional(sharingOptions),
  makeRequestId: callback,
};

/** @see createRostackApp */
export const appOptions: OptionCheck = optionsOf<RostackAppOptions>({
  ...servedOptions,
  ...httpSettings,
  clientAddress: callback,
  clock: callback,
});
