import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { vectorCases } from '../../../test/support/vectors.ts';
import {
  canonicalizeFilter,
  compileFilter,
  FILTER_OPERATOR_NAMES,
  FilterError,
  filterToJson,
  type JsonObject,
  type JsonValue,
  MODELS,
  parseFilter,
  parseFilterText,
} from '../../index.ts';

interface MatchRow {
  readonly name: string;
  readonly record: JsonValue;
  readonly filter: JsonObject;
  readonly matches: boolean;
}

const matchRows = vectorCases('filter/match.json') as readonly MatchRow[];
const validRows = vectorCases('filter/valid.json') as readonly { name: string; filter: JsonObject }[];
const invalidRows = vectorCases('filter/invalid.json') as readonly {
  name: string;
  filter: JsonValue;
  rule: string;
}[];

test('the vectors cover every operator and are many', () => {
  expect(matchRows.length + validRows.length + invalidRows.length).toBeGreaterThanOrEqual(300);
  for (const operator of FILTER_OPERATOR_NAMES) {
    const rows = matchRows.filter(({ filter }) => JSON.stringify(filter).includes(`"${operator}"`));
    expect([operator, new Set(rows.map(({ matches }) => matches)).size]).toEqual([operator, 2]);
  }
});

describe('match', () => {
  test.each(matchRows)('$name', ({ record, filter, matches }) => {
    const parsed = parseFilter(filter);
    expect(compileFilter(parsed)(record)).toBe(matches);
    expect(compileFilter(canonicalizeFilter(parsed))(record)).toBe(matches);
    expect(compileFilter(parseFilter(filterToJson(parsed)))(record)).toBe(matches);
  });

  test.each(matchRows)('one level down: $name', ({ record, filter, matches }) => {
    const nested = JSON.parse(
      JSON.stringify(filter, (name: string, value: JsonValue) =>
        name === '' || name.startsWith('$') || /^[0-9]/.test(name) ? deepen(value) : value,
      ),
    ) as JsonObject;
    expect(compileFilter(parseFilter(nested))({ deep: record })).toBe(matches);
  });

  function deepen(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value as JsonObject);
    return Object.fromEntries(
      members.map(([name, member]) => [name.startsWith('/') ? `/deep${name}` : name, member]),
    );
  }
});

describe('valid', () => {
  test.each(validRows)('$name', ({ filter }) => {
    const parsed = parseFilterText(JSON.stringify(filter));
    expect(parseFilter(filterToJson(parsed))).toEqual(parsed);
    expect(MODELS['2026-08-13'].filter.safeParse(filter).success).toBe(true);
  });
});

/** The checks that the rules of the vectors stand for. */
const CHECKS: Readonly<Record<string, readonly FilterError['check'][]>> = {
  grammar: ['schema'],
  pointer: ['field_pointer'],
  limit: ['limits', 'whole_characters'],
};

describe('invalid', () => {
  test.each(invalidRows)('$name', ({ filter, rule }) => {
    const error = thrownBy(() => parseFilterText(JSON.stringify(filter)));
    expect(error).toBeInstanceOf(FilterError);
    expect((error as FilterError).code).toBe('invalid_filter');
    expect(CHECKS[rule]).toContain((error as FilterError).check);
    expect(MODELS['2026-08-13'].filter.safeParse(filter).success).toBe(rule !== 'grammar');
  });
});
