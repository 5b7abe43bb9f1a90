import * as fc from 'fast-check';
import {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type JsonObject,
  type JsonValue,
  type OperandKind,
} from '../../src/index.ts';

// Few names and values, so that random filters meet random records often.
const name = fc.constantFrom('a', 'b', '0', '1', 'length', '__proto__', 'constructor', 'a/b', '~', '');
const text = fc.constantFrom('', 'a', 'ab', 'b', '1', 'true', '\u{1f600}', '\uff5e', 'a\u{1f600}');
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, 2, 1.5, -1, 2 ** 53, 1e300, 5e-324),
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { value: recordValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
}));

/** A record: mostly an object, sometimes anything else that JSON can say. */
export const arbitraryRecord: fc.Arbitrary<JsonValue> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.tuple(name, recordValue), { maxLength: 5 }).map((m) => Object.fromEntries(m)),
  },
  { weight: 1, arbitrary: recordValue },
);

const pointer = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((path) => path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));

const operands: Readonly<Record<OperandKind, fc.Arbitrary<JsonValue>>> = {
  scalar_or_array: fc.oneof({ weight: 4, arbitrary: scalar }, fc.array(scalar, { maxLength: 3 })),
  array: fc.array(scalar, { maxLength: 4 }),
  string: text,
  boolean: fc.boolean(),
};

const operators = fc
  .uniqueArray(fc.constantFrom(...FILTER_OPERATOR_NAMES), { minLength: 1, maxLength: 2 })
  .chain((names) =>
    fc
      .tuple(
        ...names.map((operator) =>
          fc.tuple(fc.constant(operator), operands[FILTER_OPERATORS[operator].operand]),
        ),
      )
      .map((entries) => Object.fromEntries(entries)),
  );

/** The JSON of a valid filter, at most three levels deep. */
export const { filter: arbitraryFilterJson } = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.dictionary(pointer, operators, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    fc
      .tuple(
        fc.dictionary(pointer, operators, { maxKeys: 2, noNullPrototype: true }),
        fc.record(
          {
            $and: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }),
            $or: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }),
            $not: tie('filter'),
          },
          { requiredKeys: [], noNullPrototype: true },
        ),
      )
      .map(([fields, logical]) => ({ ...fields, ...logical }))
      .filter((filter) => Object.keys(filter).length > 0),
  ),
}));
