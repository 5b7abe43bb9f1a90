import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import {
  type Collation,
  type CompactEvent,
  collateFilter,
  compareRecords,
  compileFilter,
  DISCOVERY_RULES,
  type DiscoveryError,
  decodeCompactEvent,
  type EventMessage,
  encodeCompactEvent,
  type JsonObject,
  type JsonValue,
  MODELS,
  PROBLEM_RULES,
  PROBLEM_SLUGS,
  type ProblemError,
  parseDiscovery,
  parseFilter,
  parseProblem,
  parseServerMessage,
  parseSort,
  RELEASES,
  type Release,
} from '../src/index.ts';
import { matchesNaively } from './support/naive-filter.ts';
import {
  compareDecimals,
  compareInstants,
  eventOf,
  frameOf,
  matchesInOrder,
  type PatchStep,
  patched,
  sortedIds,
} from './support/naive-vectors.ts';
import { sampleDiscovery } from './support/sample-discovery.ts';
import { vectorCases, vectorFile } from './support/vectors.ts';

interface MatchRow {
  readonly name: string;
  readonly record: JsonObject;
  readonly filter: JsonObject;
  readonly matches: boolean;
}
interface OrderRow {
  readonly name: string;
  readonly sort: readonly string[];
  readonly records: readonly (JsonObject & { readonly id: string })[];
  readonly sorted: readonly string[];
  readonly decimals?: readonly string[];
  readonly date_times?: readonly string[];
}
interface FrameRow {
  readonly name: string;
  readonly event: EventMessage;
  readonly frame: CompactEvent;
  readonly decodes?: boolean;
}
interface OfReleases {
  readonly name: string;
  readonly releases: readonly Release[];
}
type Judged = OfReleases & { readonly rule?: string; readonly path?: string };

describe('filters', () => {
  const rows = vectorCases('filter/match.json') as readonly MatchRow[];
  test('say the same to whoever has only their README', () => {
    for (const { name, filter, record, matches } of rows) {
      expect([name, matchesNaively(filter, record)]).toEqual([name, matches]);
    }
  });

  const decimals = vectorCases('filter/decimal.json') as readonly MatchRow[];
  test.for(decimals)('of decimals: $name', ({ filter, record, matches }) => {
    expect(compileFilter(collateFilter(parseFilter(filter), new Map([['/v', 'decimal']])))(record)).toBe(
      matches,
    );
    expect(matchesInOrder(filter, record, compareDecimals)).toBe(matches);
  });

  const dateTimes = vectorCases('filter/date-time.json') as readonly MatchRow[];
  test.for(dateTimes)('of date-times: $name', ({ filter, record, matches }) => {
    const collations = new Map([['/v', 'date-time']] as const);
    expect(compileFilter(collateFilter(parseFilter(filter), collations))(record)).toBe(matches);
    expect(matchesInOrder(filter, record, compareInstants)).toBe(matches);
  });
});

describe('sort', () => {
  const rows = vectorCases('sort/order.json') as readonly OrderRow[];
  test.for(rows)('$name', ({ sort, records, sorted, decimals = [], date_times: dateTimes = [] }) => {
    const pointers = sort.map((key) => key.replace(/^-/, ''));
    const collations = new Map<string, Collation>([
      ...decimals.map((pointer) => [pointer, 'decimal'] as const),
      ...dateTimes.map((pointer) => [pointer, 'date-time'] as const),
    ]);
    const keys = sort.length === 0 ? [] : parseSort(sort.join(','), pointers, collations);
    const identified = records.map((value) => ({ id: value.id, value }));
    expect(identified.toSorted(compareRecords(keys)).map(({ id }) => id)).toEqual(sorted);
    expect(sortedIds(sort, records, { decimals, dateTimes })).toEqual(sorted);
  });

  test.for(vectorCases('sort/invalid.json') as readonly { name: string; sort: string }[])(
    'not: $name',
    ({ sort }) => {
      expect(thrownBy(() => parseSort(sort, ['/v', '/w', '/a,b']))).toMatchObject({ code: 'invalid_sort' });
    },
  );
});

describe('compact events', () => {
  test.for(vectorCases('compact-event/valid.json') as readonly FrameRow[])(
    '$name',
    ({ event, frame, decodes }) => {
      expect(parseServerMessage(JSON.stringify(frame))).toEqual(frame);
      expect(decodeCompactEvent(frame)).toEqual(event);
      expect(eventOf(frame)).toEqual(event);
      if (decodes === true) return;
      expect(encodeCompactEvent(event)).toEqual(frame);
      expect(frameOf(event)).toEqual(frame);
    },
  );

  const invalid = vectorCases('compact-event/invalid.json') as readonly { name: string; frame: unknown[] }[];
  test.for(invalid)('not: $name', ({ frame }) => {
    const error = thrownBy(() => parseServerMessage(JSON.stringify(frame)));
    expect(error).toMatchObject({ code: 'invalid_server_message' });
    expect(eventOf(frame)).toBeUndefined();
  });
});

describe('problems', () => {
  const valid = vectorCases('problem/valid.json') as readonly (OfReleases & {
    readonly problem: JsonValue;
  })[];
  test.for(valid)('$name', ({ releases, problem }) => {
    expect(RELEASES.filter((release) => problemFaults(problem, release).length === 0)).toEqual(releases);
  });

  test('every type is there', () => {
    expect(valid.map(({ name }) => name)).toEqual(expect.arrayContaining([...PROBLEM_SLUGS]));
  });

  const invalid = vectorCases('problem/invalid.json') as readonly (Judged & {
    readonly problem: JsonValue;
  })[];
  test.for(invalid)('not: $name', ({ releases, rule, problem }) => {
    for (const release of releases) {
      expect(problemFaults(problem, release).map(({ check }) => check)).toContain(rule);
      expect(MODELS[release].problem.safeParse(problem).success).toBe(rule !== 'schema');
    }
  });

  test('every rule is broken', () => {
    expect(new Set(invalid.map(({ rule }) => rule))).toEqual(
      new Set(['schema', ...Object.keys(PROBLEM_RULES)]),
    );
  });
});

describe('discovery documents', () => {
  const valid = vectorFile('discovery/valid.json') as DiscoveryFile;
  const invalid = vectorFile('discovery/invalid.json') as DiscoveryFile;

  test('begin with one that has every member', () => {
    expect(valid.base).toEqual(sampleDiscovery());
    expect(invalid.base).toEqual(sampleDiscovery());
  });

  test.for(valid.cases)('$name', ({ releases, patch }) => {
    const document = patched(valid.base, patch);
    expect(RELEASES.filter((release) => discoveryFaults(document, release).length === 0)).toEqual(releases);
  });

  test.for(invalid.cases)('not: $name', ({ releases, rule, path, patch }) => {
    for (const release of releases) {
      const { errors, ...older } = patched(invalid.base, patch);
      const document = release === '2026-08-12' || errors === undefined ? older : { ...older, errors };
      expect(discoveryFaults(document, release)).toContainEqual({ check: rule, path });
      expect(MODELS[release].discovery.safeParse(document).success).toBe(rule !== 'schema');
    }
  });

  test('every rule is broken', () => {
    expect(new Set(invalid.cases.map(({ rule }) => rule))).toEqual(
      new Set(['schema', ...Object.keys(DISCOVERY_RULES)]),
    );
  });
});

interface DiscoveryFile {
  readonly base: JsonObject;
  readonly cases: readonly (Judged & { readonly patch: readonly PatchStep[] })[];
}

/** The faults of a problem by a release. */
function problemFaults(problem: JsonValue, release: Release): ProblemError['faults'] {
  const error = thrownBy(() =>
    release === '2026-08-12' ? parseProblem(problem, { release }) : parseProblem(problem, { release }),
  ) as ProblemError | undefined;
  return error?.faults ?? [];
}

/** Which checks a document fails, and where. */
function discoveryFaults(document: JsonValue, release: Release): { check: string; path: string }[] {
  const error = thrownBy(() => parseDiscovery(document, { release })) as DiscoveryError | undefined;
  return (error?.faults ?? []).map(({ check, path }) => ({ check, path }));
}
