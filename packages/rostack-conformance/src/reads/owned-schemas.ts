import type { JsonSchema, Resource } from 'rostack-core';
import type { CheckContext } from '../check/check-context.ts';

/** Owned schemas of a run by URL, by its discovery document. */
const documents = new WeakMap<object, Promise<ReadonlyMap<string, JsonSchema>>>();

/** The schemas of all representations, and what they refer to, by URL; those that cannot be read are missing. */
export function recordSchemas(context: CheckContext): Promise<ReadonlyMap<string, JsonSchema>> {
  const known = documents.get(context.discovery) ?? readSchemas(context);
  documents.set(context.discovery, known);
  return known;
}

async function readSchemas(context: CheckContext): Promise<ReadonlyMap<string, JsonSchema>> {
  const schemas = new Map<string, JsonSchema>();
  const waiting = context.discovery.resources.flatMap(urlsOf);
  const seen = new Set<string>();
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const { status, json } = await context.http.get(url);
    if (status !== 200 || !isSchema(json)) continue;
    schemas.set(url, json);
    waiting.push(...referencesIn(json, url));
  }
  return schemas;
}

const urlsOf = ({ representations }: Resource): readonly string[] =>
  representations.map(({ schema_url: url }) => url);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The documents that a schema refers to. */
function referencesIn(value: unknown, base: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (name !== '$ref' || typeof member !== 'string') return referencesIn(member, base);
    if (!URL.canParse(member, base)) return [];
    const url = new URL(member, base);
    url.hash = '';
    return [url.href];
  });
}
