import { type Clock, systemClock } from 'menu-client';
import { DEFAULT_CREDENTIALS, startSandbox } from 'menu-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LUNCH_MS } from './support/page-types.ts';
import { until } from './support/process.ts';
import { findOne, startTestCafeteria } from './support/running.ts';

let nowMs = LUNCH_MS;
// The waits between attempts are short ones; deadlines are long ones.
const clock: Clock = {
  nowMs: () => nowMs,
  sleep: (ms, signal) => systemClock.sleep(ms < 5_000 ? Math.min(ms, 10) : ms, signal),
};
const resources = new AsyncDisposableStack();
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let site: Awaited<ReturnType<typeof startTestCafeteria>>;
beforeAll(async () => {
  sandbox = resources.use(await startSandbox({ clock: () => nowMs, latencyMs: 0 }));
  site = resources.use(await startTestCafeteria({ upstream: liveUpstream() }, clock));
});
afterAll(() => resources.disposeAsync());

function liveUpstream() {
  const { username, password } = DEFAULT_CREDENTIALS;
  return {
    kind: 'live',
    welstory: { username, password, baseUrl: sandbox.welstoryUrl },
    planeat: { baseUrl: sandbox.planeatUrl },
  } as const;
}

const main = async (path: string): Promise<string> => {
  const html = await (await fetch(site.url + path)).text();
  return /<main.*<\/main>/s.exec(html)?.[0] ?? '';
};
const menuNames = (html: string): string[] =>
  [...html.matchAll(/<h3[^>]*>([^<]+)</g)].map(([, name = '']) => name);
const health = async (): Promise<{ status: string }> =>
  (await (await fetch(`${site.url}/api/health`)).json()) as { status: string };

const OLD = '지금은 업체에서 읽어 오지 못해 11월 20일 (금) 11:50에 읽은 메뉴를 보여 줍니다.';
const UNREAD = '메뉴를 읽어 오지 못했습니다. 메뉴가 없다는 뜻이 아닙니다.';
const EMPTY = /등록된 메뉴가 없습니다|>없음</;

test.each(['welstory', 'shinsegae'] as const)(
  'an hour without %s: pages go on from the cache, marked as old; what was never read is not called empty; recovery by itself',
  async (vendor) => {
    nowMs = LUNCH_MS;
    sandbox.setFaults([]);
    const { path } = await findOne(site.url, vendor === 'welstory' ? 'R5' : '기숙사식당');
    const today = `${path}/20261120`;
    const before = await main(today);
    expect(menuNames(before).length).toBeGreaterThan(3);
    expect(before).not.toContain('읽어 오지 못');

    sandbox.setFaults([{ fault: 'server-error' }]);
    nowMs = LUNCH_MS + 3_600_000;
    await until('the page says that it is old', async () => {
      nowMs += 61_000;
      return (await main(today)).includes(OLD);
    });
    const during = await main(today);
    expect(menuNames(during)).toEqual(menuNames(before));
    expect(during).not.toMatch(EMPTY);

    // Other forms of the same day say so too.
    const markdown = await fetch(site.url + today, { headers: { Accept: 'text/markdown' } });
    expect([markdown.status, (await markdown.text()).includes(OLD)]).toEqual([200, true]);
    expect(await (await fetch(`${site.url}${today}/rss.xml`)).text()).toContain(OLD);
    expect(await (await fetch(`${site.url}${today}.ics`)).text()).toContain('이전에 읽은 내용');

    // A day that nobody asked for before: unread, in every form.
    const tomorrow = `${path}/20261123`;
    const unread = await main(tomorrow);
    expect(unread).toContain(UNREAD);
    expect(unread).not.toMatch(EMPTY);
    const week = await main(`${tomorrow}/week`);
    expect(week).toContain(UNREAD);
    expect(week).not.toMatch(EMPTY);
    expect(await (await fetch(`${site.url}${tomorrow}/rss.xml`)).text()).toContain(UNREAD);
    expect(await (await fetch(`${site.url}${tomorrow}.ics`)).text()).toContain('읽지 못함');
    expect((await health()).status).not.toBe('ok');

    sandbox.setFaults([]);
    await until('the pages are fresh again, and the unread day is read', async () => {
      nowMs += 61_000;
      const [fresh, read] = [await main(today), await main(tomorrow)];
      return !`${fresh}${read}`.includes('읽어 오지 못') && menuNames(read).length > 0;
    });
    await until('health says so', async () => (await health()).status === 'ok');
  },
);

test('home says what could not be read, and calls no restaurant empty', async () => {
  nowMs = LUNCH_MS;
  await using down = await startSandbox({ clock: () => nowMs, latencyMs: 0 });
  const { username, password } = DEFAULT_CREDENTIALS;
  const welstory = { username, password, baseUrl: down.welstoryUrl };
  const upstream = { kind: 'live', welstory, planeat: { baseUrl: down.planeatUrl } } as const;
  await using other = await startTestCafeteria({ upstream }, clock);
  const { vendor, id } = await findOne(other.url, 'R5');
  down.setFaults([{ fault: 'unavailable' }]);
  const first = await (await fetch(other.url)).text();
  expect(first).toContain(UNREAD);
  expect(first).not.toContain('보여 드릴 메뉴 사진이 없습니다');
  const mine = await (await fetch(other.url, { headers: { Cookie: `my=${vendor}.${id}` } })).text();
  expect(mine).toContain(UNREAD);
  expect(mine).not.toMatch(EMPTY);
});

test('nutrition by dish that cannot be read is said to be so, beside what is known', async () => {
  nowMs = LUNCH_MS;
  sandbox.setFaults([]);
  await until('the restaurants are there', async () => (await fetch(site.url)).status === 200);
  const { path } = await findOne(site.url, 'R5');
  const links = [...(await main(`${path}/20261120`)).matchAll(/href="([^"]+)"[^>]* data-dishes/g)];
  const menu = links.at(-1)?.[1] ?? '';
  sandbox.setFaults([{ fault: 'server-error', path: '/api/meal/detail' }]);
  const failed = await fetch(site.url + menu);
  expect([failed.status, failed.headers.get('cache-control')]).toEqual([503, 'no-store']);
  const text = await failed.text();
  expect(text).toContain('구성별 영양을 읽어 오지 못했습니다');
  expect(text).toContain('<table class="facts">');
  const markdown = await fetch(site.url + menu, { headers: { Accept: 'text/markdown' } });
  expect([markdown.status, (await markdown.text()).includes('구성별 영양을 읽어 오지 못했습니다')]).toEqual([
    503,
    true,
  ]);
  sandbox.setFaults([]);
  await until('it is read', async () => {
    nowMs += 61_000;
    return (await main(menu)).includes('<table class="dishes">');
  });
});

test('with operators that were never reached, pages say so with 503 and come back by themselves', async () => {
  nowMs = LUNCH_MS;
  await using down = await startSandbox({ clock: () => nowMs, latencyMs: 0, faults: [{ fault: 'reset' }] });
  const upstream = { kind: 'live', planeat: { baseUrl: down.planeatUrl } } as const;
  await using other = await startTestCafeteria({ upstream }, clock);
  for (const path of ['/', '/?q=강남', '/restaurants/shinsegae/1/x/20261120']) {
    const response = await fetch(other.url + path);
    expect([response.status, response.headers.get('retry-after')], path).toEqual([503, '30']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('지금은 메뉴를 읽을 수 없습니다');
  }
  const search = await fetch(`${other.url}/proxy/search?q=a`);
  expect([search.status, search.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
  await until('health is down', async () => {
    nowMs += 61_000;
    await fetch(other.url);
    return (await fetch(`${other.url}/api/health`)).status === 503;
  });
  down.setFaults([]);
  await until('home is back', async () => {
    nowMs += 61_000;
    return (await fetch(other.url)).status === 200;
  });
  expect((await fetch(`${other.url}/api/health`)).status).toBe(200);
});
