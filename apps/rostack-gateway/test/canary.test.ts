import { SourceUnavailableError } from 'rostack-core';
import { createSharedToken } from 'rostack-server';
import { expect, test } from 'vitest';
import { Canary, type CanaryMiss, type CanaryOptions } from '../src/observe/health/canary.ts';
import { adminGateway } from './support/admin-gateway.ts';
import { caOf, tokenFor } from './support/observed.ts';
import { valueOf } from './support/value-of.ts';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'written_at'],
  properties: { id: { type: 'string' }, written_at: { type: 'string' }, height: { type: 'number' } },
};

test('a canary is missed while it may not follow, seen from then on, and ends with the gateway', async () => {
  const { token, tokenId, verifier } = createSharedToken();
  await using running = await adminGateway({
    schema,
    environment: { CANARY_TOKEN: token },
    sections:
      'metrics: { canary: { resource: stations, id: bird, token: { env: CANARY_TOKEN }, interval: 200ms } }',
  });
  const sample = async (name: string, labels = {}) =>
    valueOf(await (await running.admin('/metrics')).text(), name, labels);
  await expect.poll(() => sample('rostack_canary_missed_total', { reason: 'connection' })).toBeGreaterThan(0);
  expect(await sample('rostack_canary_seconds_count')).toBe(0);
  const grants = ['stations:follow'];
  await running.gateway.store.tokens.add({ tokenId, verifier, subject: 'c', grants, expiresAtMs: undefined });
  await expect.poll(() => sample('rostack_canary_seconds_count')).toBeGreaterThan(1);
  expect(await sample('rostack_delivery_seconds_count', { resource: 'stations' })).toBeGreaterThan(1);
  expect(await running.stored('bird')).toMatchObject({ id: 'bird' });
});

test('a write that fails and an event that does not come are missed, each with its reason', async () => {
  await using running = await adminGateway({ schema });
  const { gateway } = running;
  const token = await tokenFor(gateway);
  const firstMiss = async (apply: CanaryOptions['store']['apply']): Promise<CanaryMiss> => {
    const { promise, resolve } = Promise.withResolvers<CanaryMiss>();
    await using _canary = new Canary({
      store: { apply },
      resource: 'stations',
      id: 'bird',
      intervalMs: 2_000,
      url: gateway.implementation.discovery.endpoints.websocket,
      token,
      ca: caOf(gateway),
      onSeen: () => resolve('connection'),
      onMissed: resolve,
    });
    return await promise;
  };
  expect(await firstMiss(() => Promise.reject(new SourceUnavailableError('no disk')))).toBe('write');
  const elsewhere = { resource: 'stations', id: 'bird', changed: true, transition: 'update' } as const;
  expect(await firstMiss(() => Promise.resolve([{ ...elsewhere, position: 9, version: '9' }]))).toBe('late');
});
