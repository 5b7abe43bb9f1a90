import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { canonicalJson, type JsonValue } from '../../text/json.ts';
import type { Fault } from './fault.ts';
import type { JsonKind, Model, Optional, TextRule } from './model.ts';

/** Either the value, typed by the model, or its faults. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T; readonly faults: readonly [] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Checks a value against a model, including its rules beyond the schema, and finds every fault. */
export function validate<T>(model: Model<T>, value: unknown): Validation<T> {
  const faults = findFaults(model, value);
  return faults.length === 0 ? { ok: true, value: value as T, faults: [] } : { ok: false, faults };
}

/** What is wrong with a value according to a model; empty for a value that fits. One place can have several faults. */
export function findFaults(model: Model, value: unknown): Fault[] {
  const faults: Fault[] = [];
  const keys: (string | number)[] = [];
  const refuse = (check: string, message: string, further: readonly string[] = []): void => {
    faults.push({ check, path: formatPointer([...keys, ...further].map(String)), message });
  };
  const report = (message: string, ...further: readonly string[]): void => {
    refuse('schema', message, further);
  };

  function inspectText(
    { test, message, beyond }: TextRule,
    text: string,
    what = '',
    ...further: readonly string[]
  ): void {
    if (!test(text)) report(`${what}${message}`, ...further);
    else if (beyond?.is.test(text) === false) refuse(beyond.check, `${what}${beyond.message}`, further);
  }

  function inspectAt(key: string | number, part: Model | Optional, found: unknown): void {
    if (part.kind === 'optional') {
      if (found === undefined) return;
      part = part.of;
    }
    keys.push(key);
    inspect(part, found);
    keys.pop();
  }

  function inspect(part: Model, found: unknown): void {
    if (part.kind === 'any') return;
    const kind = kindOf(found);
    switch (part.kind) {
      case 'custom':
        if (!part.test(found)) report(part.message);
        return;
      case 'literal':
        if (!part.values.includes(found as string)) report(`must be ${listValues(part.values)}`);
        return;
      case 'nullable':
        if (found !== null) inspect(part.of, found);
        return;
      case 'typed': {
        const option = part.options[kind as JsonKind];
        if (option === undefined) report('has none of the shapes that are allowed here');
        else inspect(option, found);
        return;
      }
      default:
    }
    const wanted = JSON_KINDS[part.kind];
    if (kind !== wanted) {
      report(found === undefined ? 'is required' : `must be of type ${wanted}`);
      return;
    }
    switch (part.kind) {
      case 'string':
        if (part.rule !== undefined) inspectText(part.rule, found as string);
        return;
      case 'integer': {
        const { min, max = Number.POSITIVE_INFINITY, isTime } = part;
        const number = found as number;
        if (!Number.isInteger(number)) report(`must be an integer${isTime ? ' number of milliseconds' : ''}`);
        if (number < min) report(`must be at least ${min}${isTime ? ' ms' : ''}`);
        if (number > max) report(`must be at most ${max}`);
        else if (number > Number.MAX_SAFE_INTEGER) {
          refuse('whole_number_exact', `must be at most ${Number.MAX_SAFE_INTEGER}`);
        }
        return;
      }
      case 'array': {
        const items = found as readonly unknown[];
        const { emptyFault, isUnique, contains } = part.rules;
        const before = faults.length;
        for (let index = 0; index < items.length; index += 1) inspectAt(index, part.item, items[index]);
        if (emptyFault !== undefined && items.length === 0) report(emptyFault);
        // Items that fit are not deep, so it is safe to write them as text.
        if (isUnique === true && faults.length === before && !areUnique(items))
          report('must not contain duplicates');
        if (contains !== undefined && !items.includes(contains))
          report(`must contain ${JSON.stringify(contains)}`);
        return;
      }
      case 'tuple': {
        const items = found as readonly unknown[];
        if (items.length > part.items.length) report(`must be at most ${part.items.length} items`);
        for (const [index, item] of part.items.entries()) inspectAt(index, item, items[index]);
        return;
      }
      case 'object': {
        const object = found as Readonly<Record<string, unknown>>;
        for (const [name, member] of part.members)
          inspectAt(name, member, Object.hasOwn(object, name) ? object[name] : undefined);
        if (part.isOpen) return;
        for (const name of Object.keys(object))
          if (!part.members.has(name)) report('is not a member that the protocol knows; remove it', name);
        return;
      }
      case 'map': {
        const entries = Object.entries(found as object);
        if (entries.length === 0 && part.emptyFault !== undefined) report(part.emptyFault);
        for (const [name, member] of entries) {
          if (part.name !== undefined) inspectText(part.name, name, 'the name ', name);
          inspectAt(name, part.value, member);
        }
        return;
      }
      case 'tagged': {
        const { [part.tag]: tag } = found as Readonly<Record<string, unknown>>;
        const option = part.options.get(tag as string);
        if (option === undefined) report(`must be ${listValues([...part.options.keys()])}`, part.tag);
        else inspect(option, found);
        return;
      }
      default:
    }
  }

  inspect(model, value);
  return faults;
}

const JSON_KINDS = {
  boolean: 'boolean',
  string: 'string',
  integer: 'number',
  array: 'array',
  tuple: 'array',
  object: 'object',
  map: 'object',
  tagged: 'object',
} as const;

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const areUnique = (items: readonly unknown[]): boolean =>
  new Set(items.map((item) => canonicalJson(item as JsonValue))).size === items.length;

const MAX_VALUES = 8;

function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or one of ${rest} more` : shown.join(' or ');
}
