export { isExactNumber } from './is-exact-number.ts';
export { parseStrictJson } from './parse-strict-json.ts';
export { StrictJsonError } from './strict-json-error.ts';
