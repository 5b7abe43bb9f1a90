import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type AnyDiscoveryDocument,
  createProblem,
  DEFAULT_FILTER_LIMITS,
  DISCOVERY_CHECKS,
  DISCOVERY_RULES,
  EVENT_ENCODINGS,
  FILTER_RULES,
  FilterError,
  MODELS,
  PROBLEM_CHECKS,
  PROBLEM_RULES,
  PROBLEM_SLUGS,
  parseClientMessage,
  parseDiscovery,
  parseFilter,
  parseProblem,
  parseServerMessage,
  type ReceivedMessage,
  type Release,
  SERVER_MESSAGE_CHECKS,
  SERVER_MESSAGE_RULES,
} from '../src/index.ts';
import { mutants, mutate } from './support/mutate.ts';
import { publishedSchemas } from './support/published-schemas.ts';
import { sampleDiscovery, sampleDiscovery20260812 } from './support/sample-discovery.ts';
import { SAMPLE_FILTERS, SAMPLE_MESSAGES } from './support/sample-messages.ts';

/** How many mutants of each kind of document and release; there are seven kinds. */
const MUTANTS = testRuns(600);
/** For one test: a mutant of a discovery document takes about 2 ms. */
const TIMEOUT_MS = 60_000 + MUTANTS * 20;

/** What is refused beyond the published schemas. */
const RULES: ReadonlySet<string> = new Set([
  ...[...DISCOVERY_CHECKS, ...PROBLEM_CHECKS, ...SERVER_MESSAGE_CHECKS].map(({ name }) => name),
  ...Object.keys(FILTER_RULES),
]);

test('every rule beyond the published schemas has a name of its own, and a sentence', () => {
  expect([...RULES].filter((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name) || name === 'schema')).toEqual([]);
  const lists = [
    [DISCOVERY_CHECKS, DISCOVERY_RULES],
    [PROBLEM_CHECKS, PROBLEM_RULES],
    [SERVER_MESSAGE_CHECKS, SERVER_MESSAGE_RULES],
  ] as const;
  for (const [checks, rules] of lists)
    expect(new Set(Object.keys(rules))).toEqual(new Set(checks.map(({ name }) => name)));
  const sentences = [...lists.map(([, rules]) => rules), FILTER_RULES].flatMap((rules) =>
    Object.values(rules),
  );
  expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([]);
});

const problems = PROBLEM_SLUGS.map((slug) =>
  slug === 'rate-limited' || slug === 'service-unavailable'
    ? createProblem(slug, { retry_after_ms: 1, instance: '/x?y#z' })
    : createProblem(slug, { detail: 'd', instance: 'https://a.example/', request_id: 'r' }),
);
const anyError = { type: 'error', code: 'teapot', message: 'm' };
const anyFilter = { '/a': { eq: { b: [1] }, in: [{}, [[]]], contains: [[1], {}] } };

/** The same document with every number at its least value and every list that may be empty, empty. */
function atBounds<T extends AnyDiscoveryDocument>(document: T): T {
  return {
    ...document,
    capabilities: {
      filter_operators: [],
      max_page_size: 1,
      websocket: {
        event_encodings: ['json'],
        extensions: [],
        authentication_timeout_ms: 1000,
        heartbeat_interval_ms: 1000,
        heartbeat_timeout_ms: 1000,
        reconnect_min_delay_ms: 100,
        reconnect_max_delay_ms: 1000,
        discovery_refresh_after_ms: 1000,
      },
    },
    resources: document.resources.map((resource) => ({
      ...resource,
      events: [],
      filtering: { filterable_fields: {}, sortable_fields: [] },
      subscribe_permissions: [],
    })),
    alternate_versions: [],
  };
}

/** Names of the checks that a value fails; none for one that is taken. */
type Parser = (value: unknown, release: Release) => readonly string[];

function checksFailedBy(parse: () => unknown): readonly string[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (error instanceof FilterError) return [error.check];
    return (error as { readonly faults: readonly { readonly check: string }[] }).faults.map(
      ({ check }) => check,
    );
  }
}

/** The one thing that a parser takes beyond the published schemas: the subscription answers `unsupported_encoding`. */
function refuseEncoding(message: ReceivedMessage): void {
  if (message.type !== 'subscribe' || message.event_encoding === undefined) return;
  if (EVENT_ENCODINGS.some((encoding) => encoding === message.event_encoding)) return;
  throw Object.assign(new Error('unknown encoding'), { faults: [{ check: 'unsupported_encoding' }] });
}

const parsers: Readonly<Record<'discovery' | 'filter' | 'problem' | 'message', Parser>> = {
  discovery: (value, release) => checksFailedBy(() => parseDiscovery(value, { release })),
  filter: (value, release) => checksFailedBy(() => parseFilter(value, DEFAULT_FILTER_LIMITS, release)),
  problem: (value) => checksFailedBy(() => parseProblem(value)),
  // Each side reads what the other sends; both send ping and pong.
  message(value, release) {
    const text = JSON.stringify(value);
    const { type } = Object(value) as { readonly type?: unknown };
    const byServer = checksFailedBy(() => refuseEncoding(parseClientMessage(text, { release })));
    const byClient = checksFailedBy(() => parseServerMessage(text, { release: release as '2026-08-12' }));
    if (type === 'ping' || type === 'pong') return [...byServer, ...byClient];
    return type === 'authenticate' || type === 'subscribe' || type === 'unsubscribe' ? byServer : byClient;
  },
};

const CASES: [
  release: Release,
  file: string,
  model: z.ZodType,
  parser: Parser,
  documents: readonly unknown[],
][] = [
  [
    '2026-08-12',
    'discovery',
    MODELS['2026-08-12'].discovery,
    parsers.discovery,
    [sampleDiscovery20260812(), atBounds(sampleDiscovery20260812())],
  ],
  ['2026-08-12', 'filter', MODELS['2026-08-12'].filter, parsers.filter, [...SAMPLE_FILTERS, anyFilter]],
  [
    '2026-08-12',
    'websocket-message',
    MODELS['2026-08-12'].websocketMessage,
    parsers.message,
    [...SAMPLE_MESSAGES, anyError],
  ],
  [
    '2026-08-13',
    'discovery',
    MODELS['2026-08-13'].discovery,
    parsers.discovery,
    [sampleDiscovery(), atBounds(sampleDiscovery())],
  ],
  ['2026-08-13', 'filter', MODELS['2026-08-13'].filter, parsers.filter, SAMPLE_FILTERS],
  ['2026-08-13', 'problem', MODELS['2026-08-13'].problem, parsers.problem, problems],
  [
    '2026-08-13',
    'websocket-message',
    MODELS['2026-08-13'].websocketMessage,
    parsers.message,
    SAMPLE_MESSAGES,
  ],
];

/** A second judge of a schema, which asserts formats. */
function judge(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function generatedSchema(release: Release, file: string): object {
  const path = `../../../schemas/rostack_v1/releases/${release}/${file}.schema.json`;
  return JSON.parse(readFileSync(resolve(import.meta.dirname, path), 'utf8')) as object;
}

describe.each(CASES)('%s %s', (release, file, model, parse, documents) => {
  const published = judge(publishedSchemas(release)[file] ?? {});
  const generated = judge(generatedSchema(release, file));

  test.each(documents.map((document, index) => [index, document] as const))(
    'takes sample %i',
    (_, document) => {
      expect(model.safeParse(document).error).toBeUndefined();
      expect([published(document), generated(document)]).toEqual([true, true]);
    },
  );

  test(
    `model, generated schema and parser decide as the published schema does on ${MUTANTS} mutants`,
    () => {
      const seen = { accepted: 0, refused: 0 };
      const differences: object[] = [];
      fc.assert(
        fc.property(mutants(documents), (recipe) => {
          const mutant = mutate(recipe);
          const accepted = published(mutant);
          seen[accepted ? 'accepted' : 'refused'] += 1;
          const failed = parse(mutant, release);
          const unnamed = failed.filter((check) => !RULES.has(check));
          const verdicts = {
            model: model.safeParse(mutant).success,
            generated: generated(mutant),
            // What the schema takes may still break a rule, which has a name.
            parser: accepted ? unnamed.length === 0 : failed.length === 0,
          };
          if (Object.values(verdicts).every((verdict) => verdict === accepted)) return;
          differences.push({ published: accepted, ...verdicts, failed, mutant });
        }),
        { numRuns: MUTANTS },
      );
      expect(differences, `${differences.length} differences`).toEqual([]);
      expect(seen.accepted).toBeGreaterThan(MUTANTS / 50);
      expect(seen.refused).toBeGreaterThan(MUTANTS / 50);
    },
    TIMEOUT_MS,
  );
});

test.each([
  ['discovery', [sampleDiscovery(), atBounds(sampleDiscovery())]],
  ['filter', SAMPLE_FILTERS],
  ['websocketMessage', SAMPLE_MESSAGES],
] as const)('what the newer release accepts as %s, the older one accepts too', (name, documents) => {
  const newer: z.ZodType = MODELS['2026-08-13'][name];
  const older: z.ZodType = MODELS['2026-08-12'][name];
  let accepted = 0;
  fc.assert(
    fc.property(mutants(documents), (recipe) => {
      const mutant = mutate(recipe);
      if (!newer.safeParse(mutant).success) return;
      accepted += 1;
      const { errors: _, ...withoutErrors } = Object(mutant) as { errors?: unknown };
      expect(older.safeParse(name === 'discovery' ? withoutErrors : mutant).error).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
