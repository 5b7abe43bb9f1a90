export { auditSchemas, type SchemaFinding, type SchemaFindingKind } from './audit-schemas.ts';
export type { JsonSchema } from './json-schema.ts';
export { releaseSchemas } from './release-schemas.ts';
export { createSchemaGraph, type InnerNode, type References, type SchemaGraph } from './schema-graph.ts';
export { nodePointer, type SchemaNode } from './schema-node.ts';
export { inPlaceNodes, nodesAtPath } from './schema-path.ts';
