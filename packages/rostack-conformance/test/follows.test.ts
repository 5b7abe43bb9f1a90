import { RELEASES } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { runConformance } from '../src/index.ts';
import type { FrameHooks } from './reference/mutant.ts';
import type { GatewayMutant } from './reference/mutants/gateway/gateway-mutant.ts';
import { GATEWAY_MUTANTS } from './reference/mutants/gateway-mutants.ts';
import { ReferenceDriver } from './reference/reference-driver.ts';
import { ReferenceServer } from './reference/reference-server.ts';
import { hurried } from './support/hurried.ts';

test.each(RELEASES)('the reference server follows and survives as %s says', async (release) => {
  await using reference = await ReferenceServer.start({ release });
  await using driver = new ReferenceDriver(reference);
  const only = ['follows', 'survives'];
  const { verdicts, results } = await runConformance({ ...reference.target, driver, only });
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
  const skipped = results
    .flatMap(({ findings }) => findings)
    .flatMap((finding) => (finding.kind === 'skip' ? `${finding.id}: ${finding.reason}` : []))
    .filter((skip) => skip.startsWith('ws.'));
  // The reference offers one method, and events that carry their records.
  expect(skipped).toEqual(['ws.filtered.whole-record: no data: events carry the field of the filter']);
  const passed = new Set(
    verdicts.flatMap(({ requirement, status }) => (status === 'pass' ? requirement.id : [])),
  );
  expect([...passed].filter((id) => /^(ws|err\.ws)\./.test(id)).length).toBeGreaterThan(60);
});

test('a gateway that is unavailable for a moment is asked again, and not blamed', async () => {
  const refusal = (id: unknown) =>
    JSON.stringify({
      type: 'error',
      code: 'service_unavailable',
      retryable: true,
      retry_after_ms: 20,
      message: 'The records cannot be read just now.',
      subscription_id: id,
    });
  let refused = 0;
  const frames = (): FrameHooks => {
    let isAvailable = false;
    const isRefused = (text: string) => !isAvailable && text.includes('"subscribe"');
    return {
      reply: (text) => (isRefused(text) ? [refusal(JSON.parse(text).subscription_id)] : []),
      fromClient: (text) => {
        if (!isRefused(text)) return [text];
        isAvailable = true;
        refused += 1;
        return [];
      },
    };
  };
  await using reference = await ReferenceServer.start({ mutant: { fails: [], frames } });
  await using driver = new ReferenceDriver(reference);
  const only = ['follows.overtaking', 'follows.resume'];
  const { verdicts, results } = await runConformance({ ...reference.target, driver, only });
  expect(refused).toBeGreaterThan(2);
  expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect(verdicts.flatMap(({ failures }) => failures)).toEqual([]);
});

describe('without a driver live traffic is followed', () => {
  /** Checks the seam of a list and its events while somebody writes. */
  async function watched(mutant?: GatewayMutant) {
    await using reference = await ReferenceServer.start(mutant === undefined ? {} : { mutant });
    let count = 0;
    const writer = setInterval(() => {
      count += 1;
      // New records: an update that is lost does not show when another one follows it.
      const id = `live-${count}`;
      reference.put('plants', { id, name: `Live ${count}`, family: null, isEvergreen: true });
    }, 10);
    try {
      const only = ['follows.seam'];
      const { verdicts } = await runConformance({
        ...reference.target,
        observeMs: 5_000,
        only,
        clock: hurried(0.1),
      });
      return verdicts.find(({ requirement }) => requirement.id === 'json.page.no-gap')?.status;
    } finally {
      clearInterval(writer);
    }
  }

  test('and a snapshot and its events are the later snapshot', async () => {
    expect(await watched()).toBe('pass');
  });

  test('and lost events are noticed', async () => {
    expect(await watched(GATEWAY_MUTANTS['every seventh event is lost'])).toBe('fail');
  });
});
