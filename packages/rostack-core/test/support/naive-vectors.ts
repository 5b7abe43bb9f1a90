import type { EventMessage, JsonObject, JsonValue } from '../../src/index.ts';
import { matchesNaively } from './naive-filter.ts';

/*
 * What vectors/README.md says, word for word and with nothing of this package: whoever reads the vectors in another language has no more
 * than that.
 */

/** A change of a document (JSON Patch, RFC 6902). */
export interface PatchStep {
  readonly op: 'add' | 'copy' | 'remove' | 'replace';
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

function valueAt(value: JsonValue | undefined, tokens: readonly string[]): JsonValue | undefined {
  let here = value;
  for (const token of tokens) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = new Map<string, JsonValue | undefined>(Object.entries(here)).get(token);
  }
  return here;
}

/** The document after the steps. */
export function patched(document: JsonObject, steps: readonly PatchStep[]): JsonObject {
  const copy = structuredClone(document);
  for (const { op, path, from, value } of steps) {
    const tokens = tokensOf(path);
    const last = tokens.pop() ?? '';
    const parent = valueAt(copy, tokens) as JsonValue[] | Record<string, JsonValue>;
    const added = op === 'copy' ? valueAt(copy, tokensOf(from ?? '')) : value;
    if (Array.isArray(parent)) {
      if (op === 'remove') parent.splice(Number(last), 1);
      else if (op === 'replace') parent[Number(last)] = added ?? null;
      else parent.splice(last === '-' ? parent.length : Number(last), 0, added ?? null);
    } else if (op === 'remove') {
      Reflect.deleteProperty(parent, last);
    } else {
      Object.defineProperty(parent, last, {
        value: added,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return copy;
}

/** A decimal as a fraction of integers. */
function fractionOf(text: string): readonly [numerator: bigint, denominator: bigint] {
  const [whole = '', digits = ''] = text.split('.');
  return [BigInt(`${whole}${digits}`), 10n ** BigInt(digits.length)];
}

/** Negative, zero or positive. */
export function compareDecimals(a: string, b: string): number {
  const [p, q] = fractionOf(a);
  const [r, s] = fractionOf(b);
  return p * s < r * q ? -1 : Number(p * s > r * q);
}

/** A date-time as its second since 1970 and the digits of its fraction. */
function momentOf(text: string): readonly [second: number, digits: string] {
  const [, day, time, digits = '', offset = 'z'] =
    /^([^t]+)t([^.z+]+?)(?:\.(\d+))?(z|[+-][^+-]+)$/.exec(text.toLowerCase()) ?? [];
  return [Date.parse(`${day}T${time}${offset.toUpperCase()}`) / 1000, digits];
}

/** Negative, zero or positive. */
export function compareInstants(a: string, b: string): number {
  const [p, q] = momentOf(a);
  const [r, s] = momentOf(b);
  return p - r || compareDecimals(`0.${q}0`, `0.${s}0`);
}

type Compare = (a: string, b: string) => number;

/** A filter over `/v`, whose strings have an order of their own: as many integers in that order say the same. */
export function matchesInOrder(filter: JsonObject, record: JsonObject, compare: Compare): boolean {
  const texts = new Set<string>();
  const collect = (value: JsonValue | undefined): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(filter);
  collect(record.v);
  const ordered = [...texts].sort(compare);
  const placeOf = (text: string): number => ordered.findIndex((other) => compare(other, text) === 0);
  const placed = (value: JsonValue): JsonValue =>
    JSON.parse(JSON.stringify(value), (_, part: JsonValue) =>
      typeof part === 'string' ? placeOf(part) : part,
    ) as JsonValue;
  return matchesNaively(placed(filter) as JsonObject, placed(record));
}

const TYPES = ['missing', 'null', 'false', 'true', 'number', 'string'];

function rankOf(value: JsonValue | undefined): number {
  if (value === undefined || (typeof value === 'object' && value !== null)) return 0;
  return TYPES.indexOf(value === null || typeof value === 'boolean' ? String(value) : typeof value);
}

/** By code point, which is by bytes of UTF-8. */
const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareValues(a: JsonValue | undefined, b: JsonValue | undefined, compare: Compare): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compare(a, b);
  return rankOf(a) - rankOf(b);
}

/** The ids of the records in the order of the keys. */
export function sortedIds(
  keys: readonly string[],
  records: readonly (JsonObject & { readonly id: string })[],
  { decimals, dateTimes }: { readonly decimals: readonly string[]; readonly dateTimes: readonly string[] },
): string[] {
  const compareOf = (pointer: string): Compare => {
    if (decimals.includes(pointer)) return compareDecimals;
    return dateTimes.includes(pointer) ? compareInstants : compareTexts;
  };
  const sorted = records.toSorted((a, b) => {
    for (const key of keys) {
      const pointer = key.replace(/^-/, '');
      const [left, right] = [a, b].map((record) => valueAt(record, tokensOf(pointer)));
      const order = compareValues(left, right, compareOf(pointer));
      if (order !== 0) return key.startsWith('-') ? -order : order;
    }
    return compareTexts(a.id, b.id);
  });
  return sorted.map(({ id }) => id);
}

/** The event that a frame says; undefined where it is none. */
export function eventOf(frame: readonly unknown[]): JsonObject | undefined {
  const [mark, subscription, event, cursor, ms, type, id, version, url, data] = frame;
  const texts = [subscription, event, cursor, type, id, version];
  const isWhole = typeof ms === 'number' && Number.isInteger(ms) && ms >= 0;
  const hasUrl = typeof url === 'string' && url.startsWith('https://');
  if (mark !== 'e' || frame.length > 10 || !isWhole || !(hasUrl || url == null)) return undefined;
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return undefined;
  const members = {
    type: 'event',
    subscription_id: subscription,
    event_id: event,
    cursor,
    occurred_at: new Date(ms).toISOString(),
    event_type: type,
    resource_id: id,
    resource_version: version,
    ...(hasUrl && { detail_url: url }),
    ...(frame.length === 10 && { data }),
  };
  return members as JsonObject;
}

/** The frame of an event. */
export function frameOf(event: EventMessage): readonly unknown[] {
  const { detail_url: url, data } = event;
  const head = [event.subscription_id, event.event_id, event.cursor, Date.parse(event.occurred_at)];
  const tail = 'data' in event ? [url ?? null, data] : url === undefined ? [] : [url];
  return ['e', ...head, event.event_type, event.resource_id, event.resource_version, ...tail];
}
