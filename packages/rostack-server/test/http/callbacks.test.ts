import type { RecordSource } from 'rostack-core';
import type { Authenticator, RostackAppOptions } from 'rostack-server';
import { describe, expect, test } from 'vitest';
import { bindSource } from '../support/bind-source.ts';
import { Observatory, type ObservatoryOptions, station } from '../support/observatory.ts';
import { SUMMARY_MEDIA_TYPE } from '../support/observatory-implementation.ts';

const boom = new Error('boom');
const throwing = (): never => {
  throw boom;
};
const rejecting = (): never => Promise.reject(boom) as never;
const SUMMARY = { accept: SUMMARY_MEDIA_TYPE };

/** A source with one method replaced, for stations alone. */
const source =
  (method: keyof RecordSource, fail: () => never) =>
  (inner: RecordSource, resource: string): RecordSource =>
    resource !== 'stations' ? inner : { ...bindSource(inner), [method]: fail };

const authenticator = (authenticate: Authenticator['authenticate']): Partial<RostackAppOptions> => ({
  authenticators: [{ method: 'shared_token', authenticate, recheck: throwing }],
});

const LIST = '/api/stations';
const ITEM = '/api/stations/station-0001';

/** Each with a request that has to fail with internal-error, and be told. */
const FAILING: readonly (readonly [name: string, url: string, options: ObservatoryOptions])[] = [
  ['head throws', LIST, { wrapSource: source('head', throwing) }],
  ['head rejects', LIST, { wrapSource: source('head', rejecting) }],
  ['head gives undefined', LIST, { wrapSource: source('head', () => Promise.resolve(undefined) as never) }],
  ['head gives a text', LIST, { wrapSource: source('head', () => '7' as never) }],
  ['page throws', LIST, { wrapSource: source('page', throwing) }],
  ['page gives undefined', LIST, { wrapSource: source('page', () => undefined as never) }],
  ['page gives rubbish', LIST, { wrapSource: source('page', () => ({ bodies: [7] }) as never) }],
  ['get throws', ITEM, { wrapSource: source('get', throwing) }],
  ['get gives rubbish', ITEM, { wrapSource: source('get', () => Promise.resolve({ id: 1 }) as never) }],
  ['clientAddress throws', ITEM, { app: { clientAddress: throwing } }],
  ['clientAddress rejects', ITEM, { app: { clientAddress: rejecting } }],
  ['clientAddress gives a number', ITEM, { app: { clientAddress: () => 7 as never } }],
  ['an authenticator throws', ITEM, { app: authenticator(throwing) }],
  ['an authenticator rejects', ITEM, { app: authenticator(rejecting) }],
  ['an authenticator gives undefined', ITEM, { app: authenticator(() => undefined as never) }],
  [
    'an authenticator accepts nobody',
    ITEM,
    { app: authenticator(() => ({ kind: 'authenticated', credential: { principal: null } }) as never) },
  ],
];

describe('internal-error, and the operator is told, when', () => {
  test.each(FAILING)('%s', async (_name, url, options) => {
    const errors: unknown[] = [];
    await using observatory = await Observatory.start({
      ...options,
      app: {
        ...options.app,
        hooks: { onError: (error) => errors.push(error), onRequest: throwing },
      },
    });
    await observatory.putStations(station(1));
    // The head is asked for where a page is in memory: from the third time on.
    for (let time = 0; time < 2; time += 1) await observatory.fetch(url);
    expect(await observatory.problem(url)).toMatchObject({ slug: 'internal-error', status: 500 });
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toBeInstanceOf(Error);
  });

  test.each([
    ['throws', throwing],
    ['gives undefined', () => undefined as never],
  ])('a renderer %s', async (_name, render) => {
    const errors: unknown[] = [];
    await using observatory = await Observatory.start({
      app: {
        renderers: { stations: { [SUMMARY_MEDIA_TYPE]: render } },
        hooks: { onError: (error) => errors.push(error) },
      },
    });
    await observatory.putStations(station(1));
    const problem = await observatory.problem(ITEM, { headers: SUMMARY });
    expect(problem).toMatchObject({ slug: 'internal-error' });
    expect(errors).toHaveLength(1);
    expect(await observatory.get(ITEM)).toMatchObject({ id: 'station-0001' });
  });
});

/** Each with what goes on without it. */
const SPARED: readonly (readonly [name: string, app: Partial<RostackAppOptions>])[] = [
  ['the clock throws', { clock: throwing }],
  ['the clock rejects', { clock: rejecting }],
  ['the clock gives NaN', { clock: () => Number.NaN }],
  ['makeRequestId throws', { makeRequestId: throwing }],
  ['makeRequestId rejects', { makeRequestId: rejecting }],
  ['makeRequestId gives what no header field holds', { makeRequestId: () => 'a\nb: c' }],
  ['the rate limiter throws', { rateLimiter: { consume: throwing }, clientAddress: () => '192.0.2.1' }],
  ['the rate limiter rejects', { rateLimiter: { consume: rejecting }, clientAddress: () => '192.0.2.1' }],
  [
    'the rate limiter gives NaN',
    { rateLimiter: { consume: async () => Number.NaN }, clientAddress: () => '192.0.2.1' },
  ],
];

describe('the request is answered, and the operator is told, when', () => {
  test.each(SPARED)('%s', async (_name, app) => {
    const errors: unknown[] = [];
    await using observatory = await Observatory.start({
      app: { ...app, hooks: { onError: (error) => errors.push(error) } },
    });
    await observatory.putStations(station(1));
    expect(await observatory.get(ITEM)).toMatchObject({ id: 'station-0001' });
    expect(errors.length).toBeGreaterThan(0);
  });

  test.each([
    ['throw', throwing],
    ['reject', rejecting],
  ])('hooks %s, though nobody can be told then', async (_name, hook) => {
    await using observatory = await Observatory.start({
      wrapSource: source('page', throwing),
      app: { hooks: { onRequest: hook, onError: hook } },
    });
    await observatory.putStations(station(1));
    expect(await observatory.problem(LIST)).toMatchObject({ slug: 'internal-error' });
    expect(await observatory.get(ITEM)).toMatchObject({ id: 'station-0001' });
  });
});
