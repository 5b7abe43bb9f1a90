import type * as Core from 'rostack-core';
import { PositionExpiredError, SourceUnavailableError } from 'rostack-core';
import { expect, test, vi } from 'vitest';
import { Observatory, station } from './support/observatory.ts';
import { wrappedSource } from './support/wrapped-source.ts';

/** A second copy of rostack-core, as an application has one whose packages want different versions. */
async function secondCopy(): Promise<Pick<typeof Core, 'PositionExpiredError' | 'SourceUnavailableError'>> {
  vi.resetModules();
  const copy = await import('rostack-core');
  expect(copy.SourceUnavailableError).not.toBe(SourceUnavailableError);
  expect(copy.PositionExpiredError).not.toBe(PositionExpiredError);
  return copy;
}

test('a list answers by what a source of another copy of rostack-core throws', async () => {
  const copy = await secondCopy();
  let thrown: Error | undefined;
  await using observatory = await Observatory.start({
    wrapSource: (source) =>
      wrappedSource(() => source, {
        page: (query) => (thrown === undefined ? source.page(query) : Promise.reject(thrown)),
      }),
  });
  await observatory.putStations(station(1), station(2));
  const { page } = await observatory.get<{ page: { next_cursor: string } }>('/api/stations?limit=1');
  const slugOfNext = async (error: Error) => {
    thrown = error;
    return (await observatory.problem(`/api/stations?limit=1&cursor=${page.next_cursor}`)).slug;
  };
  expect(await slugOfNext(new Error('a fault'))).toBe('internal-error');
  expect(await slugOfNext(new copy.SourceUnavailableError('away'))).toBe('service-unavailable');
  expect(await slugOfNext(new copy.PositionExpiredError('pruned'))).toBe('invalid-cursor');
});
