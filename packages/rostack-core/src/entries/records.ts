export { bundledRecordSchema } from '../definition/schema/bundled-record-schema.ts';
export { fieldCollations } from '../definition/schema/field-types.ts';
export { findTypeMismatches } from '../definition/schema/find-type-mismatches.ts';
export { parsePointer, resolvePointer } from '../query/pointer/pointer.ts';
export { parseFields } from '../query/projection/parse-fields.ts';
export { project } from '../query/projection/project.ts';
export { comparePageKeys, compareRecords, pageKeyOf, parseSort } from '../query/sort/sort.ts';
export { parseUriTemplate } from '../wire/uri-template/uri-template.ts';
