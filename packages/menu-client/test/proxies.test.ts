import { inspect } from 'node:util';
import { createMenuService, openOperators, readOperatorEnvironment } from 'menu-client';
import { type Fault, type Sandbox, startSandbox } from 'menu-sandbox';
import { expect, test } from 'vitest';
import { startConnectProxy } from './connect-proxy.ts';
import { runningClock } from './running-clock.ts';

const WEDNESDAY = '2026-11-18';
const retry = { maxAttempts: 2, baseDelayMs: 0, maxDelayMs: 0 };

function operatorsOver(sandbox: Sandbox, ...proxies: readonly string[]) {
  return openOperators({ ...sandbox.environment, MENU_PROXY_URLS: proxies.join(',') }, { retry });
}

// Only Linux has every address of 127.0.0.0/8 without being told so.
test.skipIf(process.platform !== 'linux').each(['address-blocked', 'address-limited'] satisfies Fault[])(
  '%s: the next proxy is asked, and kept',
  async (fault) => {
    await using sandbox = await startSandbox({ latencyMs: 0 });
    await using blocked = await startConnectProxy('127.0.0.1');
    await using other = await startConnectProxy('127.0.0.2');
    await using service = createMenuService({
      operators: operatorsOver(sandbox, blocked.url, other.url),
      clock: runningClock(),
    });
    sandbox.setFaults([{ fault }]);
    const days = [
      await service.dailyMenu('welstory', 'REST000007', WEDNESDAY),
      await service.dailyMenu('shinsegae', 'CAF81', WEDNESDAY),
    ];
    expect(days.flatMap(({ periods }) => periods.map(({ status }) => status))).not.toContain('failed');
    expect((await service.health()).status).toBe('ok');
    const { welstory, shinsegae } = sandbox.stats();
    // Each operator was refused once, through the first proxy.
    expect([welstory.faults[fault], shinsegae.faults[fault]]).toEqual([1, 1]);
    expect(blocked.tunnels).toEqual([new URL(sandbox.url).host, new URL(sandbox.url).host]);
    expect(other.tunnels.length).toBeGreaterThanOrEqual(2);
  },
);

test('where every proxy is blocked, the operator is not asked more often than there are proxies', async () => {
  await using sandbox = await startSandbox({ latencyMs: 0, faults: [{ fault: 'address-limited' }] });
  await using one = await startConnectProxy();
  await using two = await startConnectProxy();
  const [, shinsegae] = operatorsOver(sandbox, one.url, two.url);
  await using operator = shinsegae;
  await expect(operator?.restaurants()).rejects.toMatchObject({
    code: 'operator_rate_limited',
    retryAfterMs: 60_000,
  });
  expect(sandbox.stats().shinsegae.requests).toBe(2);
});

test('a login that is refused with 403 is sent once, however many proxies there are', async () => {
  const faults = [{ fault: 'forbidden', operator: 'welstory', path: '/login' }] as const;
  await using sandbox = await startSandbox({ latencyMs: 0, faults: [...faults] });
  await using one = await startConnectProxy();
  await using two = await startConnectProxy();
  const [welstory] = operatorsOver(sandbox, one.url, two.url);
  await using operator = welstory;
  const logins = () => sandbox.stats().welstory.byPath['/login'];
  for (let reads = 0; reads < 3; reads += 1)
    await expect(operator?.restaurants()).rejects.toMatchObject({ code: 'login_refused' });
  expect(logins()).toBe(1);
});

test('a proxy that leads nowhere is left for the next attempt; its password is in no error', async () => {
  await using sandbox = await startSandbox({ latencyMs: 0 });
  await using proxy = await startConnectProxy('127.0.0.1', 'user:p@ss/wörd');
  const url = (password: string) => proxy.url.replace('//', `//user:${encodeURIComponent(password)}@`);
  const [, wrong] = operatorsOver(sandbox, url('hunter2hunter2'));
  await using refused = wrong;
  const error: unknown = await refused?.restaurants().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'operator_unreachable' });
  const told = inspect(error, { depth: 20, showHidden: true }) + inspect(refused, { depth: 3 });
  expect(told).toContain('407');
  expect(told).not.toMatch(/hunter2/);
  expect(told).not.toContain(btoa('user:hunter2hunter2').slice(8, 20));

  const [, right] = operatorsOver(sandbox, url('hunter2hunter2'), 'http://127.0.0.1:1', url('p@ss/wörd'));
  await using operator = right;
  await operator?.restaurants().catch(() => {});
  expect((await operator?.restaurants())?.value.length).toBeGreaterThan(0);
  expect(proxy.tunnels).toHaveLength(1);
});

test.each([
  ',',
  'socks5://127.0.0.1',
  'http://user:hunter2@proxy/path',
  'http://u:%FFhunter2@proxy',
  'hunter2',
])('MENU_PROXY_URLS=%s is refused without being quoted', (text) => {
  expect(() => readOperatorEnvironment({ MENU_PROXY_URLS: text })).toThrow(
    expect.objectContaining({
      code: 'invalid_argument',
      message: expect.stringMatching(/^MENU_PROXY_URLS must be 1 to 20 http(?!.*hunter2)/),
    }),
  );
});
