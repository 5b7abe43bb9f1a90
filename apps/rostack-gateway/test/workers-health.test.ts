import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Machine, PATIENCE_MS, startedWorkers, startMachine } from './support/machine.ts';
import { ADMIN_TOKEN } from './support/operating.ts';

async function ask({ admin }: Machine, path: string): Promise<readonly [number, unknown]> {
  const response = await fetch(`${admin}${path}`);
  return [response.status, await response.json()];
}

test('/readyz and /healthz speak for all workers, and say which one is not well; one that cannot start is tried again', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  await using machine = await startMachine('health: { store_timeout: 1s }\n', 3);
  const [lead, one, other] = startedWorkers(machine);
  expect(lead?.isLead).toBe(true);
  expect(await ask(machine, '/readyz')).toMatchObject([200, { status: 'ready', reasons: {} }]);
  expect(await ask(machine, '/healthz')).toEqual([200, { status: 'ok' }]);

  const report = await fetch(`${machine.admin}/status`, {
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  expect(await report.json()).toMatchObject({
    status: 'ready',
    certificate: { expiresAt: expect.stringMatching(/Z$/) },
    followers: { connections: 0, resources: {} },
    next: [],
  });

  process.kill(one?.pid ?? 0, 'SIGSTOP');
  try {
    expect(await ask(machine, '/readyz')).toMatchObject([
      503,
      {
        status: 'not_ready',
        checks: { store: 'ok', serving: 'failed' },
        reasons: { serving: `Worker ${one?.worker}: It does not answer.` },
      },
    ]);
    expect(await ask(machine, '/healthz')).toEqual([
      503,
      { status: 'not_ok', silent_workers: [one?.worker] },
    ]);
  } finally {
    process.kill(one?.pid ?? 0, 'SIGCONT');
  }
  await expect.poll(() => ask(machine, '/readyz'), { timeout: PATIENCE_MS }).toMatchObject([200, {}]);

  // It is replaced at once; until its successor serves, something is missing. That it is missing is no reason to end the others.
  process.kill(other?.pid ?? 0, 'SIGKILL');
  await expect
    .poll(() => ask(machine, '/readyz'), { interval: 20 })
    .toMatchObject([
      503,
      { reasons: { serving: expect.stringMatching(/^Worker \d: It does not serve\.$/) } },
    ]);
  expect(await ask(machine, '/healthz')).toEqual([200, { status: 'ok' }]);
  await expect.poll(() => ask(machine, '/readyz'), { timeout: PATIENCE_MS }).toMatchObject([200, {}]);

  // Successors that cannot start are tried ever more slowly, and one that can start takes the place.
  const config = join(machine.folder, 'rostack-gateway.yaml');
  const written = await readFile(config, 'utf8');
  await writeFile(config, 'identity: {}\n');
  const pausesMs = () =>
    machine.gateway.process.stderr
      .split('\n')
      .filter((line) => line.includes('another one takes its place'))
      .map((line) => (JSON.parse(line) as { readonly pauseMs: number }).pauseMs);
  expect(pausesMs()).toEqual([0]);
  process.kill(one?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => pausesMs().slice(0, 4), { timeout: PATIENCE_MS }).toEqual([0, 0, 250, 500]);
  await writeFile(config, written);
  await expect.poll(() => ask(machine, '/readyz'), { timeout: PATIENCE_MS }).toMatchObject([200, {}]);
  expect(await ask(machine, '/healthz')).toEqual([200, { status: 'ok' }]);
});
