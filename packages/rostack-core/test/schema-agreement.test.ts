import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type AnyDiscoveryDocument,
  createProblem,
  MODELS,
  PROBLEM_SLUGS,
  type Release,
} from '../src/index.ts';
import { mutants, mutate } from './support/mutate.ts';
import { sampleDiscovery, sampleDiscovery20260812 } from './support/sample-discovery.ts';
import { SAMPLE_FILTERS, SAMPLE_MESSAGES } from './support/sample-messages.ts';

const MUTANTS = 10_000;

const problems = PROBLEM_SLUGS.map((slug) =>
  slug === 'rate-limited' || slug === 'service-unavailable'
    ? createProblem(slug, { retry_after_ms: 1, instance: '/x?y#z' })
    : createProblem(slug, { detail: 'd', instance: 'https://a.example/', request_id: 'r' }),
);
const anyError = { type: 'error', code: 'teapot', message: 'm' };

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
      filtering: { filterable_fields: { '/a': ['eq'] }, sortable_fields: [] },
      subscribe_permissions: [],
    })),
    alternate_versions: [],
  };
}

const CASES: [release: Release, file: string, model: z.ZodType, documents: readonly unknown[]][] = [
  [
    '2026-08-13',
    'discovery',
    MODELS['2026-08-13'].discovery,
    [sampleDiscovery(), atBounds(sampleDiscovery())],
  ],
  ['2026-08-13', 'filter', MODELS['2026-08-13'].filter, SAMPLE_FILTERS],
  ['2026-08-13', 'problem', MODELS['2026-08-13'].problem, problems],
  ['2026-08-13', 'websocket-message', MODELS['2026-08-13'].websocketMessage, SAMPLE_MESSAGES],
  [
    '2026-08-12',
    'discovery',
    MODELS['2026-08-12'].discovery,
    [sampleDiscovery20260812(), atBounds(sampleDiscovery20260812())],
  ],
  ['2026-08-12', 'filter', MODELS['2026-08-12'].filter, SAMPLE_FILTERS],
  ['2026-08-12', 'websocket-message', MODELS['2026-08-12'].websocketMessage, [...SAMPLE_MESSAGES, anyError]],
];

function compile(release: Release, file: string, assertFormats: boolean) {
  const path = resolve(
    import.meta.dirname,
    `../../../schemas/rostack_v1/releases/${release}/${file}.schema.json`,
  );
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    validateFormats: assertFormats,
  });
  if (assertFormats) addFormats.default(ajv);
  // Not asserted by the dialect: names that an application may know are passed over.
  else for (const format of ['uri', 'uri-reference', 'date-time']) ajv.addFormat(format, true);
  return ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object);
}

describe.each(CASES)('%s %s', (release, file, model, documents) => {
  const validate = compile(release, file, false);
  const validateWithFormats = compile(release, file, true);

  test.each(documents.map((document, index) => [index, document] as const))(
    'takes sample %i',
    (_, document) => {
      expect(model.safeParse(document).error).toBeUndefined();
      expect(validate(document)).toBe(true);
      expect(validateWithFormats(document)).toBe(true);
    },
  );

  test(`decides like the model on ${MUTANTS} mutants`, () => {
    const decided = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(mutants(documents), (recipe) => {
        const mutant = mutate(recipe);
        const accepted = model.safeParse(mutant).success;
        decided[accepted ? 'accepted' : 'refused'] += 1;
        if (validate(mutant) !== accepted || validateWithFormats(mutant) !== accepted) {
          throw new Error(`the model ${accepted ? 'accepts' : 'refuses'}: ${JSON.stringify(mutant)}`);
        }
      }),
      { numRuns: MUTANTS },
    );
    expect(decided.accepted).toBeGreaterThan(MUTANTS / 50);
    expect(decided.refused).toBeGreaterThan(MUTANTS / 50);
  });
});

test.each([
  ['discovery', CASES[0]?.[3] ?? []],
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
