import {
  type Collations,
  fieldCollations,
  JSON_MEDIA_TYPE,
  type JsonSchema,
  type Resource,
} from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import { isSchemaObject, readSchemas } from '../../../probe/place/read-schemas.ts';

/** Schemas by URL, for the discovery document of each run. */
const known = new WeakMap<object, Promise<ReadonlyMap<string, JsonSchema>>>();

/** The schemas of all representations and what they refer to, by URL, except those that cannot be read. */
export function recordSchemas(context: CheckContext): Promise<ReadonlyMap<string, JsonSchema>> {
  const schemas = known.get(context.discovery) ?? readRecordSchemas(context);
  known.set(context.discovery, schemas);
  return schemas;
}

const readRecordSchemas = (context: CheckContext): Promise<ReadonlyMap<string, JsonSchema>> =>
  schemasAt(
    context,
    context.discovery.resources.flatMap(({ representations }) =>
      representations.map(({ schema_url: url }) => url),
    ),
  );

/** The schemas at some URLs and what they refer to, by URL, except those that cannot be read. */
export async function schemasAt(
  context: Pick<CheckContext, 'http'>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, JsonSchema>> {
  // The checks of the level *speaks* report those that are not served.
  const answers = await readSchemas(context, [...new Set(urls)], () => undefined);
  return new Map(
    [...answers].flatMap(([url, { status, json }]): [string, JsonSchema][] =>
      status === 200 && isSchemaObject(json) ? [[url, json]] : [],
    ),
  );
}

/** How strings in the fields of a resource compare; undefined if the schema that says so cannot be read. */
export async function collationsOf(
  context: CheckContext,
  resource: Resource,
): Promise<Collations | undefined> {
  const schemas = await recordSchemas(context);
  const json = resource.representations.find(({ media_type: mediaType }) => mediaType === JSON_MEDIA_TYPE);
  return schemas.has(json?.schema_url ?? '') ? fieldCollations(resource, schemas) : undefined;
}
