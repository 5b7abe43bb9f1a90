import type { Json, JsonRecord } from './foreign-style.ts';

type Filterable = Readonly<Record<string, readonly string[]>>;

export type FilterProblem = 'invalid-filter' | 'unsupported-filter';

/** What is wrong with a filter; undefined if nothing is. */
export function filterProblem(filter: Json, filterable: Filterable): FilterProblem | undefined {
  if (!isObject(filter) || Object.keys(filter).length === 0) return 'invalid-filter';
  for (const [name, value] of Object.entries(filter)) {
    const problem = name.startsWith('$')
      ? combinationProblem(name, value, filterable)
      : fieldProblem(name, value, filterable);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function combinationProblem(name: string, value: Json, filterable: Filterable): FilterProblem | undefined {
  if (name === '$not') return filterProblem(value, filterable);
  if ((name !== '$and' && name !== '$or') || !isList(value) || value.length === 0) return 'invalid-filter';
  return value.map((one) => filterProblem(one, filterable)).find((problem) => problem !== undefined);
}

function fieldProblem(pointer: string, operators: Json, filterable: Filterable): FilterProblem | undefined {
  if (!pointer.startsWith('/') || !isObject(operators) || Object.keys(operators).length === 0)
    return 'invalid-filter';
  for (const [operator, operand] of Object.entries(operators)) {
    if (!OPERATORS.has(operator) || (['in', 'nin'].includes(operator) && !isList(operand)))
      return 'invalid-filter';
    if (isObject(operand) || (operator === 'exists' && typeof operand !== 'boolean')) return 'invalid-filter';
    if (operator.endsWith('_with') && typeof operand !== 'string') return 'invalid-filter';
  }
  const known = filterable[pointer] ?? [];
  return Object.keys(operators).every((operator) => known.includes(operator))
    ? undefined
    : 'unsupported-filter';
}

const OPERATORS = new Set('eq ne gt gte lt lte in nin contains starts_with ends_with exists'.split(' '));

/** Whether a record matches a filter of the operators that the stand-ins have: eq, in and contains. */
export function matches(record: JsonRecord, filter: JsonRecord | undefined): boolean {
  return Object.entries(filter ?? {}).every(([name, value]) => {
    if (name === '$not') return !matches(record, value as JsonRecord);
    const all = value as readonly JsonRecord[];
    if (name === '$and') return all.every((one) => matches(record, one));
    if (name === '$or') return all.some((one) => matches(record, one));
    const found = record[name.slice(1)] ?? null;
    return Object.entries(value as JsonRecord).every(([operator, operand]) => {
      if (operator === 'contains')
        return (typeof found === 'string' || isList(found)) && found.includes(operand as string);
      if (operator === 'in') return (operand as readonly Json[]).some((one) => isSame(one, found));
      return isSame(found, operand);
    });
  });
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export const isObject = (value: Json): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
