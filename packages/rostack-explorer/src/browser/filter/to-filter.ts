import type { JsonObject, JsonValue } from 'rostack-core';
import type { ExplorerField } from '../../description/explorer-data.ts';
import { OPERATORS } from '../../description/filter-operators.ts';
import { type Condition, valueInputFor } from './condition.ts';

/** Whether all rows must hold, or one of them. */
export type Match = 'all' | 'any';

/** The filter that the rows make; undefined without rows. If some rows cannot be read: their faults, by the rows' keys. */
export type FilterResult =
  | { readonly filter: JsonObject | undefined; readonly faults: undefined }
  | { readonly filter: undefined; readonly faults: ReadonlyMap<number, string> };

/** Turns the rows of the builder into a filter of the protocol (section 6). */
export function toFilter(
  conditions: readonly Condition[],
  match: Match,
  fields: readonly ExplorerField[],
): FilterResult {
  const faults = new Map<number, string>();
  const filters: JsonObject[] = [];
  for (const condition of conditions) {
    const field = fields.find(({ pointer }) => pointer === condition.pointer);
    const operand = field === undefined ? 'Choose a field.' : readOperand(condition, field);
    if (typeof operand === 'string') faults.set(condition.key, operand);
    else filters.push({ [condition.pointer]: { [condition.operator]: operand.value } });
  }
  if (faults.size > 0) return { filter: undefined, faults };
  return { filter: combine(filters, match), faults: undefined };
}

function combine(filters: readonly JsonObject[], match: Match): JsonObject | undefined {
  if (filters.length < 2) return filters[0];
  if (match === 'any') return { $or: [...filters] };
  const pointers = filters.flatMap((filter) => Object.keys(filter));
  return new Set(pointers).size === pointers.length ? Object.assign({}, ...filters) : { $and: [...filters] };
}

interface Operand {
  readonly value: JsonValue;
}

/** The operand of a row, or a sentence that says what to give. */
function readOperand(condition: Condition, field: ExplorerField): Operand | string {
  const input = valueInputFor(field, condition.operator);
  const [text = ''] = condition.texts;
  switch (input) {
    case 'presence':
    case 'boolean':
      return { value: text === 'true' };
    case 'choice':
      return text === '' ? 'Choose a value.' : { value: parseScalar(text) };
    case 'choices':
      return condition.texts.length === 0
        ? 'Choose at least one value.'
        : { value: condition.texts.map((each) => parseScalar(each)) };
    case 'number':
      return readNumber(text);
    case 'instant':
      return readInstant(text);
    case 'date':
      return text === '' ? 'Choose a date.' : { value: text };
    case 'texts':
      return readList(text, field);
    case 'text':
    default:
      return readText(text, condition, field);
  }
}

function readNumber(text: string): Operand | string {
  const plain = text.trim();
  const value = Number(plain);
  if (plain === '' || !Number.isFinite(value)) return 'Enter a number.';
  return isRounded(plain, value) ? 'Enter a number with fewer digits: this one would be rounded.' : { value };
}

/** Whether JSON would round an integer: the server refuses such numbers, but would only get the rounded one. */
function isRounded(text: string, value: number): boolean {
  return /^-?\d+$/.test(text) && BigInt(text) !== BigInt(value);
}

/** `2026-11-21T09:30`, as a calendar input gives it, read as UTC. */
function readInstant(text: string): Operand | string {
  const time = new Date(`${text}Z`);
  return text === '' || Number.isNaN(time.getTime())
    ? 'Choose a date and a time.'
    : { value: time.toISOString() };
}

function readText(text: string, { operator }: Condition, field: ExplorerField): Operand | string {
  const { kind } = OPERATORS[operator];
  if (kind === 'text' || (kind === 'part' && !field.types.includes('array')))
    return text === '' ? 'Enter some text.' : { value: text };
  return text === '' ? 'Enter a value.' : { value: readScalar(text, field) };
}

function readList(text: string, field: ExplorerField): Operand | string {
  const values = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return values.length === 0
    ? 'Enter at least one value; put commas between several.'
    : { value: values.map((value) => readScalar(value, field)) };
}

/** Text stays text if the field is text; otherwise `12`, `true` and `null` are read as JSON. */
function readScalar(text: string, field: ExplorerField): JsonValue {
  if (field.types.length > 0 && field.types.every((type) => type === 'string')) return text;
  try {
    const value = parseScalar(text);
    const isKept = typeof value !== 'number' || !isRounded(text, value);
    return (typeof value === 'object' && value !== null) || !isKept ? text : value;
  } catch {
    return text;
  }
}

/** JSON of one value, of a choice that the page offers or that somebody typed. */
function parseScalar(text: string): JsonValue {
  // oxlint-disable-next-line eslint/no-restricted-properties -- who types a number is told when it would be rounded; the page loads no more code
  return JSON.parse(text) as JsonValue;
}
