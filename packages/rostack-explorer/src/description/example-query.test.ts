import fc from 'fast-check';
import { checkFilter, FILTER_OPERATOR_NAMES, parseFilter } from 'rostack-core';
import { expect, test } from 'vitest';
import type { FieldDescription } from './describe-fields.ts';
import { exampleQuery } from './example-query.ts';

const anyField: fc.Arbitrary<FieldDescription> = fc.record({
  pointer: fc.constantFrom('/a', '/b', '/c/d', '/e'),
  path: fc.constant('a'),
  depth: fc.constant(0),
  types: fc.constantFrom(['string'], ['number'], ['integer', 'null'], ['boolean'], ['array'], []),
  format: fc.constantFrom(undefined, 'date-time', 'uri'),
  required: fc.boolean(),
  description: fc.constant(undefined),
  values: fc.constantFrom(undefined, ['x', 'y'], [1], [null]),
  limits: fc.constant([]),
  minimum: fc.constantFrom(undefined, -5, 0),
  maxLength: fc.constant(undefined),
  operators: fc.subarray([...FILTER_OPERATOR_NAMES]),
  sortable: fc.boolean(),
  nested: fc.boolean(),
});

test('an example asks only for what is offered, and for something where something is', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyField, { selector: ({ pointer }) => pointer }), (fields) => {
      const { filter, sort } = exampleQuery(fields);
      const filterable = Object.fromEntries(
        fields.map(({ pointer = '', operators }) => [pointer, [...operators]]),
      );
      const sortable = fields.filter((field) => field.sortable).map(({ pointer = '' }) => pointer);
      if (filter !== undefined) {
        checkFilter(parseFilter(filter), { filterable_fields: filterable }, FILTER_OPERATOR_NAMES);
      }
      expect(sort === undefined).toBe(sortable.length === 0);
      expect(sort === undefined || sortable.includes(sort.replace(/^-/, ''))).toBe(true);
      expect(filter !== undefined || !fields.some(({ operators }) => operators.includes('exists'))).toBe(
        true,
      );
    }),
  );
});
