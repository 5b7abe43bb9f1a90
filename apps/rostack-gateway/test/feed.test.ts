import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFeed, KEPT_OBSERVATIONS } from '../examples/observatory/feed.ts';
import type { Observation } from '../examples/observatory/records.ts';
import { STATIONS } from '../examples/observatory/stations.ts';

const schemas = join(import.meta.dirname, '../examples/observatory/schemas');
const ajv = new Ajv2020();
addFormats.default(ajv);

function expectToFit(name: 'station' | 'observation', record: unknown): void {
  const file = join(schemas, `${name}.schema.json`);
  const validate =
    ajv.getSchema(name) ?? ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), name).getSchema(name);
  validate?.(record);
  expect(validate?.errors).toBeNull();
}

test('the stations fit their schema and have different ids', () => {
  for (const station of STATIONS) expectToFit('station', station);
  expect(new Set(STATIONS.map((station) => station.id)).size).toBe(STATIONS.length);
});

test('every tick changes something; records fit their schemas; at most the kept number of observations exist', () => {
  fc.assert(
    fc.property(
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (values) => {
        const feed = createFeed([], () => values.next().value ?? 0);
        const observations = new Map<string, Observation>();
        for (let tick = 0; tick < KEPT_OBSERVATIONS + 50; tick += 1) {
          const changes = feed.tick(Date.UTC(2026, 0, 1) + tick * 1_000);
          expect(changes.length).toBeGreaterThan(0);
          for (const change of changes) {
            if (change.op === 'delete') observations.delete(change.id);
            else if (change.resource === 'stations') expectToFit('station', change.record);
            else {
              expectToFit('observation', change.record);
              observations.set(change.record.id, change.record);
            }
          }
        }
        expect(observations.size).toBe(KEPT_OBSERVATIONS);
        expect([...observations.values()].some((observation) => observation.quality === 'verified')).toBe(
          true,
        );
      },
    ),
    { numRuns: 20 },
  );
});
