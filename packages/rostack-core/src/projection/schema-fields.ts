import type { JsonSchema } from '../schema/json-schema.ts';
import { createSchemaGraph } from '../schema/schema-graph.ts';
import { nodesAtPath } from '../schema/schema-path.ts';

/**
 * Tells which paths a record of a schema can have, following references, combinators and arrays.
 * @param schemas by URL: the representation's schema and all that it refers to
 * @param url of the representation's schema; where `schemas` lacks it, no path exists
 */
export function schemaFields(
  schemas: ReadonlyMap<string, JsonSchema>,
  url: string,
): (path: readonly string[]) => boolean {
  const graph = createSchemaGraph(schemas);
  const root = graph.root(url);
  return (path) => root !== undefined && nodesAtPath(graph, root, path).length > 0;
}
