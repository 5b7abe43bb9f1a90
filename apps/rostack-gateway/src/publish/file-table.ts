import type { JsonObject, JsonValue } from 'rostack-core';
import type { CatalogueColumn, CatalogueTable } from './catalogue/catalogue.ts';

/** Most distinct values counted per member. */
const MAX_COUNTED_VALUES = 1_000;
/** Most values remembered per member to find out whether it identifies records. */
const MAX_KEY_VALUES = 1_000_000;
const LONG_CHARACTERS = 500;
/** Preferred names of the id member, in this order. */
const KEY_NAMES = ['id', '_id', 'uuid', 'key', 'code', 'slug', 'number', 'name'];

/** Collects the types of the values at one place in the records of a file. */
class Shape {
  readonly types = new Set<string>();
  readonly members = new Map<string, Shape>();
  #items: Shape | undefined;
  #count = 0;
  #longest = 0;
  readonly #values = new Set<string | number>();
  #isMany = false;

  add(value: JsonValue): void {
    this.#count += 1;
    if (Array.isArray(value)) {
      this.types.add('array');
      this.#items ??= new Shape();
      for (const item of value) this.#items.add(item);
    } else if (typeof value === 'object' && value !== null) {
      this.types.add('object');
      for (const [name, member] of Object.entries(value)) this.#member(name).add(member);
    } else {
      this.types.add(typeOf(value));
      if (typeof value === 'string') this.#longest = Math.max(this.#longest, value.length);
      if (typeof value === 'string' || typeof value === 'number') this.#note(value);
    }
  }

  /** Changes the type to string, for values of several types. */
  becomeText(): void {
    const isNumber = [...this.types].every((type) => type === 'integer' || type === 'number');
    if (this.types.size < 2 || isNumber) return;
    this.types.clear();
    this.types.add('string');
  }

  get count(): number {
    return this.#count;
  }

  get isLong(): boolean {
    return this.#longest > LONG_CHARACTERS;
  }

  get distinctCount(): number | undefined {
    return this.#isMany ? undefined : this.#values.size;
  }

  /** @param parentCount number of objects that may have this member */
  schema(): JsonObject {
    const types = [...this.types].filter((type) => type !== 'integer' || !this.types.has('number'));
    const required = [...this.members].filter(([, { count }]) => count === this.#count).map(([name]) => name);
    return {
      ...(types.length > 0 && { type: types.length === 1 ? (types[0] ?? '') : types }),
      ...(this.types.has('object') && {
        properties: Object.fromEntries([...this.members].map(([name, shape]) => [name, shape.schema()])),
        ...(required.length > 0 && this.types.size === 1 && { required }),
        additionalProperties: false,
      }),
      ...(this.types.has('array') && { items: this.#items?.schema() ?? {} }),
    };
  }

  #member(name: string): Shape {
    const known = this.members.get(name) ?? new Shape();
    this.members.set(name, known);
    return known;
  }

  #note(value: string | number): void {
    if (this.#isMany) return;
    this.#values.add(value);
    if (this.#values.size <= MAX_COUNTED_VALUES) return;
    this.#isMany = true;
    this.#values.clear();
  }
}

/** Tracks whether a member can be the id: always present, of one type, and unique. */
class KeyCandidate {
  readonly #seen = new Set<string | number>();
  isKey = true;

  add(value: JsonValue | undefined): void {
    const isId =
      (typeof value === 'string' && value !== '') ||
      (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isId || this.#seen.has(value) || this.#seen.size >= MAX_KEY_VALUES) {
      this.isKey = false;
      this.#seen.clear();
    } else this.#seen.add(value);
  }
}

/**
 * Reads the records of a file one by one, and describes them as a table.
 * @param isText whether values are texts to interpret: if one value of a column does not look like a number, all of them are strings
 */
export class FileTable {
  readonly #isText: boolean;
  readonly #shape = new Shape();
  readonly #keys = new Map<string, KeyCandidate>();
  #count = 0;

  constructor({ isText }: { readonly isText: boolean }) {
    this.#isText = isText;
  }

  add(record: JsonObject): void {
    this.#shape.add(record);
    if (this.#count === 0) for (const name of Object.keys(record)) this.#keys.set(name, new KeyCandidate());
    this.#count += 1;
    for (const [name, candidate] of this.#keys) {
      if (candidate.isKey) candidate.add(record[name]);
    }
  }

  /** @param name of the table @param wantedKey the member that is the id; undefined: the likeliest one */
  table(name: string, wantedKey?: string): CatalogueTable {
    if (this.#isText) for (const shape of this.#shape.members.values()) shape.becomeText();
    const columns = [...this.#shape.members].map(([member, shape]) => toColumn(member, shape, this.#count));
    const keys = [...this.#keys].filter(
      ([member, { isKey }]) => isKey && isOneType(this.#shape.members.get(member)),
    );
    const names = keys.map(([member]) => member);
    const key = wantedKey ?? KEY_NAMES.find((each) => names.includes(each)) ?? names[0];
    const fault =
      this.#count === 0
        ? 'has no records'
        : key === undefined
          ? 'has no member that identifies its records: each has to have one, and no two the same'
          : names.includes(key)
            ? undefined
            : `has records whose ${key} is missing, or the same as another's`;
    return {
      schema: undefined,
      name,
      description: undefined,
      rowCount: this.#count,
      columns,
      key: key === undefined ? [] : [key],
      isPartition: false,
      fault,
    };
  }
}

const isOneType = (shape: Shape | undefined): boolean => shape?.types.size === 1;

function typeOf(value: string | number | boolean | null): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function toColumn(name: string, shape: Shape, recordCount: number): CatalogueColumn {
  const schema = shape.schema();
  return {
    name,
    type: [...shape.types].join(' or '),
    schema,
    as: undefined,
    isNullable: false,
    isOptional: shape.count < recordCount,
    description: undefined,
    isIndexed: false,
    distinctCount: shape.distinctCount,
    isLong: shape.isLong,
  };
}
