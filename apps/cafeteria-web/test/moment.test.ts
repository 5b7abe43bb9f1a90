import { createHmac } from 'node:crypto';
import { readConfig } from 'cafeteria-web';
import type { Browser } from 'playwright-core';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { menuNamed, type ReadySiteOptions, startReadySite } from './support/ready-site.ts';

const KAKAO = 'a-path-that-nobody-guesses';
const SLACK = '8f742231b10e8888abcd99yyyzzz85a5';
const MINE = { cookie: 'my=welstory.R%201' };
const MARKDOWN = { accept: 'text/markdown' };
const DAY = '/restaurants/welstory/R%201/%EA%B0%95%EB%82%A8-%EC%8B%9D%EB%8B%B9/20261120';
const FAILED = '점심 메뉴를 불러오지 못했어요 (운영사 응답이 늦음)';
const LOADING = '점심 메뉴를 불러오는 중이에요';
const DINNER = '저녁돈까스';
const HOUR_MS = 3_600_000;
const photo = { url: 'https://photos.welstory.com/a.jpg' };

type Site = Awaited<ReturnType<typeof startReadySite>>;

/** A site at 11:30 with breakfast, lunch and dinner. */
async function openSite(options: ReadySiteOptions = {}): Promise<Site> {
  const site = await startReadySite({ chats: { kakaoSkill: KAKAO, slackSigning: SLACK }, ...options });
  site.state.meals = [
    { code: '1', label: '조식' },
    { code: '2', label: '중식' },
    { code: '3', label: '석식' },
  ];
  // The restaurants are known before anybody is silent.
  await site.ask('/proxy/search?q=%EA%B0%95%EB%82%A8');
  site.state.menusOf = { '3': [{ ...menuNamed(DINNER), photo }] };
  return site;
}

/** Readings wait until this is called. */
function holdReadings({ state }: Site, what: 'answered' | 'listed' = 'answered'): () => void {
  let open = () => {};
  state[what] = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

async function text(site: Site, path: string, headers: Record<string, string> = {}): Promise<string> {
  const body = (await site.ask(path, headers)).body.toString();
  return /<main.*<\/main>/s.exec(body)?.[0] ?? body;
}

async function post(
  site: Site,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<string> {
  return (await site.app.request(path, { method: 'POST', body, headers })).text();
}

async function kakao(site: Site): Promise<string> {
  const utterance = { userRequest: { utterance: '강남' } };
  return post(site, `/kakao/skill/${KAKAO}`, JSON.stringify(utterance), {
    'Content-Type': 'application/json',
  });
}

async function slack(site: Site): Promise<string> {
  const body = new URLSearchParams({ text: '강남' }).toString();
  const timestamp = String(Math.floor(site.state.nowMs / 1000));
  const signature = `v0=${createHmac('sha256', SLACK).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return post(site, '/slack/command', body, {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Slack-Request-Timestamp': timestamp,
    'X-Slack-Signature': signature,
  });
}

async function mcp(site: Site): Promise<{ text: string; periods: { status: string; label: string }[] }> {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'get_restaurant_menu',
      arguments: { vendor: 'welstory', restaurantId: 'R 1', date: 'today' },
    },
  };
  const answer = await post(site, `${site.url}/mcp`, JSON.stringify(call), {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Host: new URL(site.url).host,
  });
  const { result } = JSON.parse(answer) as {
    result: {
      content: { text: string }[];
      structuredContent: { periods: { status: string; label: string }[] };
    };
  };
  return { text: result.content[0]?.text ?? '', periods: result.structuredContent.periods };
}

/** Each medium that shows a meal, as the text that people or models read in it. */
const MEDIA: Readonly<Record<string, (site: Site) => Promise<string>>> = {
  'home with restaurants': (site) => text(site, '/', MINE),
  'home, sorted': (site) => text(site, '/?sort=protein', MINE),
  'home, filtered': (site) => text(site, '/?words=%EB%8F%88%EA%B9%8C%EC%8A%A4', MINE),
  'the gallery': (site) => text(site, '/'),
  'the day': (site) => text(site, DAY),
  'home in Markdown': (site) => text(site, '/', { ...MINE, ...MARKDOWN }),
  'the gallery in Markdown': (site) => text(site, '/', MARKDOWN),
  'the day in Markdown': (site) => text(site, DAY, MARKDOWN),
  'the week in Markdown': (site) => text(site, `${DAY}/week`, MARKDOWN),
  KakaoTalk: kakao,
  Slack: slack,
};

test.each(Object.entries(MEDIA))(
  '%s names lunch and its failure first, and no other meal in its stead',
  async (_name, read) => {
    await using site = await openSite();
    site.state.failing = ['2'];
    const shown = await read(site);
    const at = shown.indexOf(FAILED);
    expect(at, shown.slice(0, 2_000)).toBeGreaterThan(-1);
    expect(shown.slice(0, at)).not.toContain(DINNER);
  },
);

test.each(Object.entries({ ...MEDIA, MCP: async (site: Site) => (await mcp(site)).text }))(
  '%s shows what is eaten there before what is taken out, wherever the operator has it',
  async (_name, read) => {
    await using site = await openSite();
    const named = (name: string, serving: 'take-in' | 'take-out') => ({ ...menuNamed(name), serving });
    site.state.menusOf = {
      '2': [
        { ...named('포장돈까스', 'take-out'), photo },
        { ...named('치즈돈까스', 'take-in'), photo },
        named('포장김밥', 'take-out'),
        named('냉돈까스', 'take-in'),
      ],
    };
    const shown = await read(site);
    const at = ['치즈돈까스', '냉돈까스', '포장돈까스'].map((name) => shown.indexOf(name));
    // The gallery of home has photos alone.
    const seen = at.filter((index) => index > -1);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen, shown.slice(0, 2_000)).toEqual(seen.toSorted((a, b) => a - b));
  },
);

test('a photo of a meal that is not read, or not yet, is not said to be missing', async () => {
  const ask = async (site: Site) => {
    const { status, headers } = await site.app.request('/img/welstory/R%201/20261120/2.x.jpg');
    return [status, headers.get('cache-control')];
  };
  await using site = await openSite();
  site.state.failing = ['2'];
  expect(await ask(site)).toEqual([503, 'no-store']);
  await using read = await openSite();
  expect(await ask(read)).toEqual([404, 'public, max-age=60']);
});

test('what others see of a link to the day begins with lunch, or says why it is not there', async () => {
  await using site = await openSite();
  site.state.menusOf = { '1': [menuNamed('아침죽')], ...site.state.menusOf };
  const description = async (): Promise<string> =>
    /<meta name="description" content="([^"]*)"/.exec((await site.ask(DAY)).body.toString())?.[1] ?? '';
  expect(await description()).toContain('구내식당 메뉴: 김치찌개, 저녁돈까스, 아침죽');
  await using without = await openSite();
  without.state.failing = ['2'];
  expect((await without.ask(DAY)).body.toString()).toContain(`구내식당 메뉴: ${FAILED}`);
});

test('a lunch that failed can be asked for again from home', async () => {
  await using site = await openSite();
  site.state.failing = ['2'];
  expect(await text(site, '/', MINE)).toMatch(/<a class="button" rel="nofollow" href="\/">다시 시도<\/a>/);
});

test('MCP names lunch and its failure first', async () => {
  await using site = await openSite();
  site.state.failing = ['2'];
  const { text: said, periods } = await mcp(site);
  expect(periods.map(({ status }) => status)).toEqual(['failed', 'ok', 'ok']);
  expect(said.indexOf('Could not be read')).toBeLessThan(said.indexOf(DINNER));
});

test('by default, pages wait for half a second', () => {
  expect(readConfig({}).pageWaitMs).toBe(500);
});

test.each(Object.entries(MEDIA))(
  '%s says that lunch is on its way while the operator is silent',
  async (name, read) => {
    await using site = await openSite({ pageWaitMs: 0 });
    const answer = holdReadings(site);
    const shown = await read(site);
    expect(shown, name).toMatch(new RegExp(`${LOADING}|메뉴를 불러오는 중이에요`));
    expect(shown).not.toMatch(/불러오지 못|등록된 메뉴가 없|오프라인/);
    answer();
  },
);

test.each([
  ['home', '/', MINE],
  ['the gallery', '/', {}],
  ['the day', DAY, {}],
  ['the day in Markdown', DAY, MARKDOWN],
  ['the week', `${DAY}/week`, {}],
])('%s is kept by nobody while it is on its way, and whole afterwards', async (_name, path, headers) => {
  await using site = await openSite({ pageWaitMs: 0 });
  const answer = holdReadings(site);
  for (let times = 0; times < 2; times += 1) {
    const { status, headers: fields, body } = await site.ask(path, headers);
    expect([status, fields['cache-control']]).toEqual([200, 'no-store']);
    expect(body.toString()).toContain('불러오는 중');
  }
  answer();
  await expect
    .poll(async () => (await site.ask(path, headers)).headers['cache-control'])
    .toMatch(/^private, /);
  expect((await site.ask(path, headers)).body.toString()).not.toContain('불러오는 중');
});

test('feeds, calendars and MCP wait as long as programs do, and say what is on its way all the same', async () => {
  await using site = await openSite({ deadlineMs: 50 });
  const answer = holdReadings(site);
  const asked = [site.ask(`${DAY}/rss.xml`), site.ask(`${DAY}.ics`)].map(async (each) => {
    const { headers, body } = await each;
    return [headers['cache-control'], body.toString()] as const;
  });
  for (const [cached, body] of await Promise.all(asked)) {
    expect(cached).toBe('no-store');
    expect(body).toContain('불러오는 중');
    expect(body).not.toMatch(/불러오지 못|등록된 메뉴가 없/);
  }
  answer();
});

/** A page of a visitor who has chosen the restaurant. */
async function openMine(browser: Browser, site: Site) {
  const context = await browser.newContext({ locale: 'ko-KR', serviceWorkers: 'block' });
  await context.addCookies([{ name: 'my', value: 'welstory.R%201', url: site.url }]);
  return { context, page: await context.newPage() };
}

test('what was on its way appears without a reload, and what people are typing stays', async () => {
  await using browser = await launchBrowser();
  await using site = await openSite({ pageWaitMs: 0 });
  const answer = holdReadings(site);
  const { context, page } = await openMine(browser, site);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goto(site.url);
  await page.getByText(LOADING).waitFor();
  await page.getByText('정렬').first().click();
  await page.getByLabel('메뉴 이름 거르기').fill('두부');
  answer();
  await page.getByRole('heading', { level: 3, name: '김치찌개' }).waitFor();
  expect(await page.getByText('불러오는 중').count()).toBe(0);
  expect(await page.getByLabel('메뉴 이름 거르기').inputValue()).toBe('두부');
  await page.waitForFunction(`document.querySelector('main[data-loading]') === null`);
  expect(loads).toBe(1);
  await context.close();
});

test('what comes when lunch is over comes with the headings of dinner', async () => {
  await using browser = await launchBrowser();
  await using site = await openSite({ pageWaitMs: 0 });
  const answer = holdReadings(site);
  const { context, page } = await openMine(browser, site);
  await page.goto(site.url);
  await page.getByRole('heading', { name: '내 식당의 오늘 점심' }).waitFor();
  site.state.nowMs += 3 * HOUR_MS;
  answer();
  await page.getByRole('heading', { level: 3, name: DINNER }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('내 식당의 오늘 저녁');
  await context.close();
});

test('whoever comes back to a page after the meal that it shows sees the next one, unless it is in use', async () => {
  await using browser = await launchBrowser();
  await using site = await openSite();
  const { context, page } = await openMine(browser, site);
  await page.clock.setFixedTime(site.state.nowMs);
  const comeBack = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  for (const path of ['/', DAY]) {
    await page.goto(site.url + path);
    await comeBack();
  }
  await page.goto(site.url);
  await page.getByRole('heading', { name: '내 식당의 오늘 점심' }).waitFor();
  expect(loads).toBe(3);
  site.state.nowMs += 3 * HOUR_MS;
  await page.clock.setFixedTime(site.state.nowMs);
  await page.locator('#q').focus();
  await comeBack();
  await page.locator('#q').blur();
  await comeBack();
  await page.getByRole('heading', { name: '내 식당의 오늘 저녁' }).waitFor();
  expect(loads).toBe(4);
  await context.close();
});

test('before the restaurants are known, home and a day say that they are on their way, and then come by themselves', async () => {
  await using browser = await launchBrowser();
  await using site = await startReadySite({ pageWaitMs: 0 });
  const list = holdReadings(site, 'listed');
  const page = await browser.newPage({ locale: 'ko-KR', serviceWorkers: 'block' });
  await page.goto(site.url);
  await page.getByText('일부 식당을 아직 불러오는 중이에요 (삼성웰스토리)').waitFor();
  const day = await browser.newPage({ locale: 'ko-KR', serviceWorkers: 'block' });
  expect((await day.goto(site.url + DAY))?.headers()['retry-after']).toBe('2');
  await day.getByRole('heading', { name: '불러오는 중이에요' }).waitFor();
  expect(await day.getByText('응답하지 않').count()).toBe(0);
  list();
  await day.getByRole('heading', { level: 3, name: '김치찌개' }).waitFor();
  await page.getByText('일부 식당을 아직 불러오는 중이에요').waitFor({ state: 'detached' });
  await page.close();
  await day.close();
});

test('without JavaScript what is on its way says how to see it', async () => {
  await using browser = await launchBrowser();
  await using site = await openSite({ pageWaitMs: 0 });
  const answer = holdReadings(site);
  const context = await browser.newContext({ locale: 'ko-KR', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url + DAY);
  expect(await page.locator('.note.loading').first().innerText()).toContain(
    '새로고침하면 그사이 불러온 메뉴가 나와요',
  );
  answer();
  await context.close();
});
