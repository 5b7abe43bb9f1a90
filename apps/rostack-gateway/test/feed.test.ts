import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFeed, KEPT_OBSERVATIONS } from '../examples/observatory/feed.ts';
import { type Observation, observationModel, stationModel } from '../examples/observatory/models.ts';
import { STATIONS } from '../examples/observatory/stations.ts';

test('the stations fit their model and have different ids', () => {
  for (const station of STATIONS) stationModel.parse(station);
  expect(new Set(STATIONS.map((station) => station.id)).size).toBe(STATIONS.length);
});

test('every tick changes something; records fit their models; at most the kept number of observations exist', () => {
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
            else if (change.resource === 'stations') stationModel.parse(change.record);
            else observations.set(change.record.id, observationModel.parse(change.record));
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
