import { expect, test } from 'vitest';
import { fuzzGateway } from '../support/frame-fuzzer.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

const SEED = 1;
const MANY = { burst: 1_000_000, perSecond: 1_000_000 };

test(`random and mutated frames (seed ${SEED}) are answered or closed with declared codes, and nothing breaks`, async () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => {
    faults.push(error);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  await using harness = await GatewayHarness.start({
    gateway: { limits: { messageRate: MANY, subscribeRate: MANY, maxInvalidMessages: 200 } },
  });
  await using witness = await harness.client({ subject: 'witness' });
  await witness.subscribe('s', 'stations');
  const { token } = harness.token({ subject: 'fuzzer' });
  const report = await fuzzGateway({ url: harness.url, token: () => token, frames: 20_000, seed: SEED });
  process.off('uncaughtException', onFault);
  process.off('unhandledRejection', onFault);

  expect(report.violations).toEqual([]);
  expect(faults).toEqual([]);
  // Random cursors are of no scope of ours.
  expect(harness.alarms.filter(({ kind }) => kind !== 'cursor_keys_differ')).toEqual([]);
  expect(report.messagesReceived).toBeGreaterThan(5_000);
  expect(report.closes.get(4400)).toBeGreaterThan(0);
  await expect.poll(() => harness.gateway.status.connections).toBe(1);
  await harness.put('stations', { id: 'a' });
  expect(await witness.next('event')).toMatchObject({ resource_id: 'a' });
});
