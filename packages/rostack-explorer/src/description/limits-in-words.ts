import type { JsonValue } from 'rostack-core';

type Keyword = (name: string) => JsonValue | undefined;

// Zod writes these bounds for any integer; they are of no use to readers.
const isSafeIntegerBound = (value: number) => Math.abs(value) >= Number.MAX_SAFE_INTEGER;

const number = (keyword: Keyword, name: string): number | undefined => {
  const value = keyword(name);
  return typeof value === 'number' && !isSafeIntegerBound(value) ? value : undefined;
};

/** What a schema's keywords allow, in short words: `0 to 359`, `at least 1 character`, `matches ^[a-z]+$`. */
export function limitsInWords(keyword: Keyword): readonly string[] {
  const get = (name: string) => number(keyword, name);
  const pattern = keyword('pattern');
  const step = get('multipleOf');
  return [
    range(get('minimum'), get('maximum'), ''),
    over('more than', get('exclusiveMinimum')),
    over('less than', get('exclusiveMaximum')),
    over('a multiple of', step),
    range(get('minLength'), get('maxLength'), 'character'),
    range(get('minItems'), get('maxItems'), 'member'),
    keyword('uniqueItems') === true ? 'no member twice' : undefined,
    // A format is clearer than the pattern that comes with it.
    typeof pattern === 'string' && keyword('format') === undefined ? `matches ${pattern}` : undefined,
  ].filter((words) => words !== undefined);
}

const over = (words: string, value: number | undefined) =>
  value === undefined ? undefined : `${words} ${value}`;

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const counted = (value: number) => (unit === '' ? `${value}` : `${value} ${unit}${value === 1 ? '' : 's'}`);
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${counted(least)}` : `${least} to ${counted(most)}`;
  if (least !== undefined) return `at least ${counted(least)}`;
  return most === undefined ? undefined : `at most ${counted(most)}`;
}
