/** A type that a key column may have. Its values can be converted to unique texts and back. */
export interface KeyType {
  /** SQL: the text of a value, the same in any session and different for each value. */
  readonly textOf: (value: string) => string;
  /** SQL: the value that has a text. */
  readonly valueOf: (text: string) => string;
  /** Whether a text belongs to a value that an id can express. */
  readonly admits: (text: string) => boolean;
  /** What is wrong with the values that no id can express. */
  readonly fault: string;
  /** Whether the column's collation may treat values with different texts as equal. */
  readonly isText: boolean;
  /** Whether its values are integers, and its texts their decimal digits. */
  readonly isInteger: boolean;
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{0,5}[1-9])?$/;
/** `to_json` writes dates and times in ISO 8601 whatever the `DateStyle`. */
const isoOf = (value: string) => `(pg_catalog.to_json(${value}) operator(pg_catalog.#>>) '{}')`;
const INFINITE = 'is infinite, or not in the years 1 to 9999, so it cannot be an id';

const text: KeyType = {
  textOf: (value) => `${value}::pg_catalog.text collate pg_catalog."C"`,
  valueOf: (value) => value,
  admits: () => true,
  fault: 'can be no id',
  isText: true,
  isInteger: false,
};

const timestamp: KeyType = {
  textOf: isoOf,
  valueOf: (value) => `${value}::pg_catalog.timestamp`,
  admits: isDateAndTime,
  fault: INFINITE,
  isText: false,
  isInteger: false,
};

/** By name in `pg_type`. */
export const KEY_TYPES: Readonly<Record<string, KeyType>> = {
  int2: integerType('int2', 16),
  int4: integerType('int4', 32),
  int8: integerType('int8', 64),
  numeric: {
    ...plainType('numeric', (value) => INTEGER.test(value)),
    fault: 'is NaN, which cannot be an id',
    isInteger: true,
  },
  uuid: plainType('uuid', (value) => UUID.test(value)),
  text,
  varchar: text,
  // Trailing blanks are insignificant and not in the text.
  bpchar: { ...text, valueOf: (value) => `${value}::pg_catalog.bpchar` },
  date: { ...plainType('date', isDate), textOf: isoOf, fault: INFINITE },
  timestamp,
  timestamptz: {
    ...timestamp,
    textOf: (value) => `${isoOf(`pg_catalog.timezone('UTC', ${value})`)} operator(pg_catalog.||) 'Z'`,
    valueOf: (value) => `pg_catalog.timezone('UTC', pg_catalog.rtrim(${value}, 'Z')::pg_catalog.timestamp)`,
    admits: (value) => value.endsWith('Z') && isDateAndTime(value.slice(0, -1)),
  },
};

function plainType(name: string, admits: (text: string) => boolean): KeyType {
  return {
    textOf: (value) => `${value}::pg_catalog.text`,
    valueOf: (value) => `${value}::pg_catalog.${name}`,
    admits,
    fault: 'can be no id',
    isText: false,
    isInteger: false,
  };
}

function integerType(name: string, bits: number): KeyType {
  const admits = (value: string) =>
    value.length <= 20 && INTEGER.test(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value);
  return { ...plainType(name, admits), isInteger: true };
}

function isDate(value: string): boolean {
  if (!DATE.test(value) || value.startsWith('0000')) return false;
  const timeMs = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(value);
}

function isDateAndTime(value: string): boolean {
  return isDate(value.slice(0, 10)) && value[10] === 'T' && TIME.test(value.slice(11));
}
