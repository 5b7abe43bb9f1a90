export { bundledRecordSchema } from '../definition/bundled-record-schema.ts';
export { fieldCollations } from '../definition/field-collations.ts';
export { findTypeMismatches } from '../definition/find-type-mismatches.ts';
export { parsePointer, resolvePointer } from '../pointer/pointer.ts';
export { parseFields } from '../projection/parse-fields.ts';
export { project } from '../projection/project.ts';
export { comparePageKeys, compareRecords, pageKeyOf } from '../record/compare-records.ts';
export { parseSort } from '../sort/sort.ts';
export { parseUriTemplate } from '../uri-template/uri-template.ts';
