import type { JsonObject } from '../json/json.ts';

// The coders of every platform, named here because no platform's types are at hand.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array };
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The `bodies` of a page, from the JSON text of each of its records. */
export function joinBodies(texts: readonly string[]): Uint8Array {
  return encoder.encode(texts.join(','));
}

/** The records in the `bodies` of a page. */
export function parseBodies(bodies: Uint8Array): JsonObject[] {
  return JSON.parse(`[${decoder.decode(bodies)}]`) as JsonObject[];
}
