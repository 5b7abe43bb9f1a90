import type { Mutant } from './mutant.ts';

const FILTER_TEST = 'packages/rostack-core/src/filter/filter.test.ts';
const LIMITS_TEST = 'packages/rostack-core/src/limits.test.ts';

export const rostackCoreMutants: readonly Mutant[] = [
  {
    name: 'a filter takes $not without counting it as a node',
    file: 'packages/rostack-core/src/filter/parse-filter.ts',
    find: "unknown, parsing: Parsing, at: Place, depth: number): Filter {\n  countNode(parsing, at);\n  return { kind: 'not'",
    replace: "unknown, parsing: Parsing, at: Place, depth: number): Filter {\n  return { kind: 'not'",
    tests: [FILTER_TEST],
    testNamePattern: 'logical members, each counts',
  },
  {
    name: 'a filter takes one node more than its limit',
    file: 'packages/rostack-core/src/filter/parse-filter.ts',
    find: 'parsing.nodes > parsing.limits.maxNodes',
    replace: 'parsing.nodes > parsing.limits.maxNodes + 1',
    tests: [FILTER_TEST],
    testNamePattern: 'logical members, each counts',
  },
  {
    name: 'a filter takes a pointer of any length',
    file: 'packages/rostack-core/src/filter/parse-filter.ts',
    find: 'if (isLongerThan(pointer, parsing.limits.maxStringBytes)) {',
    replace: 'if (isLongerThan(pointer, Number.POSITIVE_INFINITY)) {',
    tests: [LIMITS_TEST],
  },
  {
    name: 'a text of Korean counts fewer bytes than it has',
    file: 'packages/rostack-core/src/text/strings.ts',
    find: 'text.length * 3 > maxBytes',
    replace: 'text.length * 2 > maxBytes',
    tests: [LIMITS_TEST],
  },
  {
    name: 'an event cursor of a principal who sees other rows is taken',
    file: 'packages/rostack-core/src/cursor/event-cursor.ts',
    find: 'if (rows !== scopeTag.slice(scope.length)) {',
    replace: "if (rows !== '' && rows !== scopeTag.slice(scope.length)) {",
    tests: ['packages/rostack-core/src/cursor/cursor.test.ts'],
  },
  {
    name: 'an If-None-Match with a tag of more than one record matches only by its first',
    file: 'packages/rostack-core/src/http/etag.ts',
    find: 'if (`"${tag[1]}"` === etag',
    replace: 'if (index === 0 && `"${tag[1]}"` === etag',
    tests: ['packages/rostack-core/src/http/etag.test.ts'],
  },
  {
    name: 'an operator is taken that only the field advertises, not the capabilities',
    file: 'packages/rostack-core/src/filter/check-filter.ts',
    find: 'if (!allowed.includes(operator) || !operators.includes(operator)) {',
    replace: 'if (!allowed.includes(operator)) {',
    tests: [FILTER_TEST],
    testNamePattern: 'only for what it advertises',
  },
  {
    name: 'a selection keeps what is inside a field that is kept whole, and loses the rest of it',
    file: 'packages/rostack-core/src/projection/parse-fields.ts',
    find: 'if (next?.size === 0) return;',
    replace: '',
    tests: ['packages/rostack-core/src/projection/projection.test.ts'],
  },
  {
    name: 'a list of operands for decimals is taken whatever it holds',
    file: 'packages/rostack-core/src/filter/collate-filter.ts',
    find: 'const operands: readonly FilterOperand[] = isList && isArray(operand) ? operand : [operand];',
    replace: 'const operands: readonly FilterOperand[] = isList ? [] : [operand];',
    tests: ['packages/rostack-core/src/filter/collate-filter.test.ts'],
  },
  {
    name: 'a filter of decimals under $not compares texts',
    file: 'packages/rostack-core/src/filter/collate-filter.ts',
    find: "return { kind: 'not', filter: collateFilter(filter.filter, collations) };",
    replace: "return { kind: 'not', filter: filter.filter };",
    tests: ['packages/rostack-core/src/filter/collate-filter.test.ts'],
  },
  {
    name: 'an offset of a date-time is left out of its instant',
    file: 'packages/rostack-core/src/collation/date-time.ts',
    find: "const instant = sign === '-' ? local + offset : local - offset;",
    replace: 'const instant = local;',
    tests: ['packages/rostack-core/src/collation/date-time.test.ts'],
  },
  {
    name: 'zeros at the end of a fraction make another instant',
    file: 'packages/rostack-core/src/collation/date-time.ts',
    find: "while (digits[length - 1] === '0') length -= 1;",
    replace: '',
    tests: ['packages/rostack-core/src/collation/date-time.test.ts'],
  },
  {
    name: 'a bundle lacks the documents behind others',
    file: 'packages/rostack-core/src/schema/bundle-schema.ts',
    find: 'for (const document of found) {',
    replace: 'for (const document of [url]) {',
    tests: ['packages/rostack-core/src/schema/bundle-schema.test.ts'],
  },
  {
    name: 'a bundle looks at all documents',
    file: 'packages/rostack-core/src/schema/bundle-schema.ts',
    find: 'let holders: ReadonlyMap<string, string> | undefined;',
    replace: 'let holders: ReadonlyMap<string, string> | undefined = holdersOf(schemas);',
    tests: ['packages/rostack-core/src/schema/bundle-schema.test.ts'],
  },
];
