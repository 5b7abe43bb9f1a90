import { documentLinks } from './document-links.ts';
import { isObject, type JsonSchema, keyword } from './graph/json-schema.ts';

/** Schema documents by URL, as a `Map` has them. */
export interface SchemaDocuments {
  /** The document with this URL; undefined if there is none. */
  get(url: string): JsonSchema | boolean | undefined;
  /** All documents with their URLs. */
  [Symbol.iterator](): Iterator<readonly [url: string, schema: JsonSchema | boolean]>;
}

/**
 * A schema with the documents that it refers to in its `$defs`, each with its own `$id`, so that nothing else is needed to follow its
 * references. A schema that refers to no other document is returned as it is. Takes time for the documents that are reached alone, unless
 * a reference leads to an `$id` inside a document, or is dynamic.
 * @param url the `$id` of one of the `schemas`
 * @see JSON Schema 2020-12 core, section 9.3 (compound documents)
 */
export function bundleSchema(url: string, schemas: SchemaDocuments): JsonSchema {
  const schema = documentAt(url, schemas) ?? {};
  const others = documentsBehind(url, schemas).filter((other) => other !== url);
  if (others.length === 0) return schema;
  const embedded = others.map((other): [string, JsonSchema] => [other, documentAt(other, schemas) ?? {}]);
  const own = keyword(schema, '$defs');
  return { ...schema, $defs: { ...(isObject(own) && own), ...Object.fromEntries(embedded) } };
}

/** The documents that a schema needs: its own, and those that references lead to from it. Takes the time that `bundleSchema` takes. */
export function schemasBehind(url: string, schemas: SchemaDocuments): ReadonlyMap<string, JsonSchema> {
  return new Map(
    documentsBehind(url, schemas).flatMap((each): [string, JsonSchema][] => {
      const schema = documentAt(each, schemas);
      return schema === undefined ? [] : [[each, schema]];
    }),
  );
}

function documentAt(url: string, schemas: SchemaDocuments): JsonSchema | undefined {
  const schema = schemas.get(url);
  return isObject(schema) ? schema : undefined;
}

/** URLs of the documents that references lead to from one, itself included. */
function documentsBehind(url: string, schemas: SchemaDocuments): readonly string[] {
  const found = new Set([url]);
  let holders: ReadonlyMap<string, string> | undefined;
  // A set is gone through in the order of its members, also those that are added meanwhile.
  for (const document of found) {
    const schema = documentAt(document, schemas);
    if (schema === undefined) continue;
    const { embedded, targets, isDynamic } = documentLinks(document, schema);
    if (isDynamic) return everyDocument(url, schemas);
    for (const target of targets) {
      if (target === document || embedded.has(target)) continue;
      if (documentAt(target, schemas) === undefined) holders ??= holdersOf(schemas);
      const other = documentAt(target, schemas) === undefined ? holders?.get(target) : target;
      if (other !== undefined) found.add(other);
    }
  }
  return [...found];
}

/** URLs of documents by the `$id`s of what is inside them. */
function holdersOf(schemas: SchemaDocuments): ReadonlyMap<string, string> {
  return new Map(
    documentsOf(schemas).flatMap(([url, schema]) =>
      Array.from(documentLinks(url, schema).embedded, (id) => [id, url] as const),
    ),
  );
}

/** Any of them may have the anchor that a dynamic reference means. */
function everyDocument(url: string, schemas: SchemaDocuments): readonly string[] {
  return [...new Set([url, ...documentsOf(schemas).map(([other]) => other)])];
}

function documentsOf(schemas: SchemaDocuments): readonly (readonly [string, JsonSchema])[] {
  return Array.from({ [Symbol.iterator]: () => schemas[Symbol.iterator]() }).filter(
    (entry): entry is readonly [string, JsonSchema] => isObject(entry[1]),
  );
}
