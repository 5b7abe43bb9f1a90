import { isArray, type JsonValue } from '../text/json.ts';
import { isObject, isSchema } from './graph/json-schema.ts';

type Rule = (value: JsonValue | undefined) => boolean;

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
/** References that need no look into RFC 3986. */
const REFERENCE = /^(?:https:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[\w.~-]+)*)?(?:#(?:\/[\w$.-]+)*)?$/;
const ID = /^https:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[\w.~-]+)*$/;

const isText: Rule = (value) => typeof value === 'string';
const isFlag: Rule = (value) => typeof value === 'boolean';
const isNumber: Rule = (value) => Number.isFinite(value);
const isCount: Rule = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Rule = (value) => value !== undefined;
const isPlain: Rule = (value) => isSchema(value) && isPlainSchema(value);
const isMap = (value: JsonValue | undefined, name: Rule): boolean =>
  isObject(value) && Object.entries(value).every(([key, inner]) => name(key) && isPlain(inner));
const isList: Rule = (value) => isArray(value) && value.length > 0 && value.every(isPlain);
const areUnique = (value: JsonValue | undefined, item: Rule): boolean =>
  isArray(value) && value.every(item) && new Set(value).size === value.length;

const isExpression: Rule = (value) => {
  if (typeof value !== 'string' || value.includes('\\Z')) return false;
  try {
    void new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
};

const rulesFor = (names: string, rule: Rule): [string, Rule][] =>
  names.split(' ').map((name) => [name, rule]);

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['type', (value) => TYPES.has(value) || (isArray(value) && value.length > 0 && areTypes(value))],
  ['enum', isArray],
  ['examples', isArray],
  ...rulesFor('const default', isAnything),
  ...rulesFor('$comment title description format contentEncoding contentMediaType', isText),
  ...rulesFor('deprecated readOnly writeOnly uniqueItems', isFlag),
  ...rulesFor('minimum maximum exclusiveMinimum exclusiveMaximum', isNumber),
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ...rulesFor('minLength maxLength minItems maxItems minContains maxContains', isCount),
  ...rulesFor('minProperties maxProperties', isCount),
  ['pattern', isExpression],
  ['required', (value) => areUnique(value, isText)],
  ...rulesFor('properties $defs dependentSchemas', (value) => isMap(value, isAnything)),
  ['patternProperties', (value) => isMap(value, isExpression)],
  ...rulesFor('additionalProperties unevaluatedProperties propertyNames', isPlain),
  ...rulesFor('items unevaluatedItems contains not if then else', isPlain),
  ...rulesFor('allOf anyOf oneOf prefixItems', isList),
  ['$schema', (value) => value === DRAFT],
  ['$id', (value) => typeof value === 'string' && ID.test(value)],
  ['$ref', (value) => typeof value === 'string' && REFERENCE.test(value)],
]);

function areTypes(value: JsonValue): boolean {
  return areUnique(value, (type) => TYPES.has(type));
}

/**
 * Whether a schema is seen to be valid (draft 2020-12) at one look, as nearly all are: without rarer keywords, references and identifiers.
 * False says nothing: the schema of schemas has to judge it, which takes 40 ms to compile.
 */
export function isPlainSchema(schema: JsonValue): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([name, value]) => RULES.get(name)?.(value) ?? name.startsWith('x-'));
}
