import { dateTimeKey, isDateTime, isTime, timeKey } from './date-time.ts';
import { DECIMAL_FORMAT, decimalKey, isDecimal } from './decimal.ts';

/**
 * How strings of a field compare when not by code point: by the value that their `format` gives them. `decimal`: by number; `date-time` and
 * `time`: by instant. A `date` needs none, since its texts compare as its days do.
 */
export type Collation = 'decimal' | 'date-time' | 'time';

/** The collations of the fields of a resource, by JSON Pointer; a `Map` will do. A field without one compares by code point. */
export interface Collations {
  /** The collation of the field that a JSON Pointer leads to. */
  get(pointer: string): Collation | undefined;
}

export const NO_COLLATIONS: Collations = { get: () => undefined };

interface CollationRules {
  /** Whether a text has a value of this format. */
  readonly accepts: (text: string) => boolean;
  /** Compares by code point as the value does, and is equal for equal values. */
  readonly key: (text: string) => string;
  /** What such a field holds, and how it compares. */
  readonly holds: string;
  /** What a comparison takes. */
  readonly operand: string;
}

/** What is known about each collation. */
export const COLLATIONS: Readonly<Record<Collation, CollationRules>> = {
  [DECIMAL_FORMAT]: {
    accepts: isDecimal,
    key: decimalKey,
    holds: 'decimals, which compare as numbers',
    operand: 'a decimal in a string, such as "12.50", without an exponent or leading zeros',
  },
  'date-time': {
    accepts: isDateTime,
    key: dateTimeKey,
    holds: 'date-times, which compare as instants',
    operand: 'a date-time with its offset, such as "2026-11-28T11:00:00Z"',
  },
  time: {
    accepts: isTime,
    key: timeKey,
    holds: 'times, which compare as instants of a day',
    operand: 'a time with its offset, such as "11:00:00Z"',
  },
};

/** A text that compares by code point as another does in a collation; a text that has no value there sorts after all that have one. */
export function collationKey(collation: Collation, text: string): string {
  return COLLATIONS[collation].key(text);
}

/** Whether a `format` of JSON Schema has a collation. */
export function isCollation(format: unknown): format is Collation {
  return typeof format === 'string' && Object.hasOwn(COLLATIONS, format);
}
