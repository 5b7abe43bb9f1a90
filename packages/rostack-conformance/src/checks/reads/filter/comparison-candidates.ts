import {
  COLLATIONS,
  type Collation,
  type Collations,
  type FilterOperator,
  type JsonObject,
  type JsonScalar,
  type JsonValue,
  parsePointer,
  resolvePointer,
} from 'rostack-core';
import type { SeededRandom } from 'rostack-core/testing';
import type { Sample } from '../sample/sample.ts';

/** One operator on one field, with an operand to try. */
export interface Candidate {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly operator: FilterOperator;
  readonly operand: JsonValue;
  /** How strings of the field compare, if not by code point. */
  readonly collation: Collation | undefined;
  /** Why this operand was chosen: `existing`, `between`, `other-type` and so on. */
  readonly reason: string;
}

/** A candidate as a filter. */
export const filterOf = ({ pointer, operator, operand }: Candidate): JsonObject => ({
  [pointer]: { [operator]: operand },
});

/** An operand with the reason to try it. */
type Operand = readonly [reason: string, operand: JsonValue];

/**
 * Comparisons for the advertised fields and operators of a sample, with the values of its records and others around them, at most `max`:
 * first one of every operator, rather with an operand that a record has, then of every operator on fields that compare in their own way,
 * then of every kind, then more at random.
 */
export function candidatesOf(
  { resource, items }: Sample,
  operators: readonly FilterOperator[],
  collations: Collations,
  random: SeededRandom,
  max: number,
): readonly Candidate[] {
  const all = Object.entries(resource.filtering.filterable_fields).flatMap(([pointer, advertised]) => {
    const path = parsePointer(pointer);
    const field = new FieldValues(
      items.map((item) => resolvePointer(item, path)),
      collations.get(pointer),
      random,
    );
    return advertised
      .filter((operator) => operators.includes(operator))
      .flatMap((operator) =>
        field.operandsFor(operator).map(([reason, operand]) => ({
          kind: `${operator} ${reason} ${field.kind}`,
          candidate: { pointer, path, operator, operand, collation: field.collation, reason },
        })),
      );
  });
  const shuffled = random.some(all, all.length, all.length);
  const chosen = new Set([
    ...firstOfEach(
      shuffled.toSorted((a, b) => Number(mayMatchNone(a.candidate)) - Number(mayMatchNone(b.candidate))),
      ({ candidate }) => candidate.operator,
    ),
    ...firstOfEach(shuffled, ({ candidate }) => `${candidate.operator} ${candidate.collation}`),
    ...firstOfEach(shuffled, ({ kind }) => kind),
    ...shuffled,
  ]);
  return [...chosen].slice(0, max).map(({ candidate }) => candidate);
}

/** Reasons of operands that no record may have: alone, they do not show what an operator finds. */
const ABSENT_REASONS = ['other-case', 'member-other-case', 'other-type', 'pattern', 'empty', 'null'];

const mayMatchNone = ({ reason }: Candidate): boolean => ABSENT_REASONS.includes(reason);

const firstOfEach = <T>(items: readonly T[], keyOf: (item: T) => string): Iterable<T> =>
  new Map(items.toReversed().map((item) => [keyOf(item), item])).values();

/** The values of one field in the records of a sample. */
class FieldValues {
  readonly collation: Collation | undefined;
  readonly #values: readonly JsonValue[];
  readonly #random: SeededRandom;

  constructor(
    values: readonly (JsonValue | undefined)[],
    collation: Collation | undefined,
    random: SeededRandom,
  ) {
    this.#values = values.filter((value) => value !== undefined);
    this.collation = collation;
    this.#random = random;
  }

  /** The types of the values, in words. */
  get kind(): string {
    if (this.collation !== undefined) return this.collation;
    return [...new Set(this.#values.map((value) => (Array.isArray(value) ? 'array' : typeof value)))]
      .sort()
      .join();
  }

  operandsFor(operator: FilterOperator): readonly Operand[] {
    switch (operator) {
      case 'exists':
        return [
          ['true', true],
          ['false', false],
        ];
      case 'in':
      case 'nin':
        return this.#lists();
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return this.#bounds();
      case 'contains':
        return [...this.#parts((text) => text.slice(1, 3)), ...this.#members()];
      case 'starts_with':
        return this.#parts((text) => Array.from(text).slice(0, 2).join(''));
      case 'ends_with':
        return this.#parts((text) => Array.from(text).slice(-2).join(''));
      default:
        return [...this.#scalars(), ...this.#arrays()];
    }
  }

  #scalars(): Operand[] {
    if (this.collation !== undefined) return this.#bounds();
    const existing = this.#oneOf<string | number | boolean>(
      this.#ofType('string'),
      this.#ofType('number'),
      this.#ofType('boolean'),
    );
    return [
      ...existing.map((value): Operand => ['existing', value]),
      ...existing.flatMap((value) => otherCase(value)).map((value): Operand => ['other-case', value]),
      ...existing.map((value): Operand => ['other-type', ofOtherType(value)]),
      ['null', null],
    ];
  }

  #arrays(): Operand[] {
    const arrays = this.#values.filter(isScalarArray);
    return arrays.length === 0 ? [] : [['array', this.#random.pick(arrays)]];
  }

  #lists(): Operand[] {
    const [first = 'a', second = first] = this.#scalars().map(([, operand]) => operand);
    return [
      ['several', [first, second]],
      ['empty', []],
    ];
  }

  #bounds(): Operand[] {
    const { collation } = this;
    const strings = this.#ofType('string').filter(
      (text) => collation === undefined || COLLATIONS[collation].accepts(text),
    );
    const numbers = this.#ofType('number');
    const wide = strings.filter((text) => /[\u{e000}-\u{10ffff}]/u.test(text));
    const texts = [strings, wide].flatMap((list) => this.#oneOf(list));
    return [
      ...texts.map((text): Operand => ['existing', text]),
      ...(collation === undefined ? texts.flatMap(otherCase) : []).map(
        (text): Operand => ['other-case', text],
      ),
      ...(collation === undefined ? [] : texts.flatMap(otherSpelling)).map(
        (text): Operand => ['spelling', text],
      ),
      ...this.#oneOf(numbers).flatMap((number): Operand[] => [
        ['existing', number],
        ['between', number + 0.5],
        ['other-type', String(number)],
      ]),
    ];
  }

  /** A part of a text, in both cases, and characters with a meaning in patterns. */
  #parts(part: (text: string) => string): Operand[] {
    const texts = this.#ofType('string').filter((text) => /\p{L}{3}/u.test(text) && text.isWellFormed());
    const found = this.#oneOf(texts)
      .map(part)
      .filter((text) => text !== '' && text.isWellFormed());
    if (this.collation !== undefined || this.#ofType('string').length === 0) return [];
    return [
      ...found.map((text): Operand => ['part', text]),
      ...found.flatMap(otherCase).map((text): Operand => ['other-case', text]),
      ['pattern', this.#random.pick(['%', '_', '.', '*'])],
    ];
  }

  #members(): Operand[] {
    const members = this.#values.filter(isScalarArray).flat();
    return this.#oneOf(members).flatMap((member): Operand[] => [
      ['member', member],
      ...otherCase(member).map((value): Operand => ['member-other-case', value]),
    ]);
  }

  #ofType(type: 'string'): string[];
  #ofType(type: 'number'): number[];
  #ofType(type: 'boolean'): boolean[];
  #ofType(type: string): JsonValue[] {
    return this.#values.filter((value) => typeof value === type);
  }

  /** One value of each list that has any. */
  #oneOf<T>(...lists: readonly (readonly T[])[]): T[] {
    return lists.flatMap((list) => (list.length === 0 ? [] : [this.#random.pick(list)]));
  }
}

const isScalarArray = (value: JsonValue): value is readonly JsonScalar[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);

/** The same instant with one more digit; nothing for other texts. */
function otherSpelling(text: string): string[] {
  return /:\d\dZ$/.test(text) ? [text.replace('Z', '.0Z')] : [];
}

/** A text with its letters in the other case; nothing if it has no letters. */
function otherCase(value: JsonValue): string[] {
  if (typeof value !== 'string') return [];
  const swapped = value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
  return swapped === value ? [] : [swapped];
}

/** A value of another type that a loose comparison would consider equal. */
function ofOtherType(value: string | number | boolean): JsonScalar {
  if (typeof value !== 'string') return String(value);
  return value !== '' && Number.isSafeInteger(Number(value)) ? Number(value) : 0;
}
