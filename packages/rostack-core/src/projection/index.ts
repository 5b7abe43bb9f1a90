export type { FieldSelection, FieldTree } from './field-selection.ts';
export { FieldsError } from './fields-error.ts';
export { parseFields } from './parse-fields.ts';
export { project } from './project.ts';
export { schemaFields } from './schema-fields.ts';
