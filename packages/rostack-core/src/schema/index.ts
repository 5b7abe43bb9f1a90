export type { JsonSchema } from './json-schema.ts';
export { releaseSchemas } from './release-schemas.ts';
