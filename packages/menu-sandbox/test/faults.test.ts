import { FAULTS, type Fault, type Sandbox, startSandbox } from 'menu-sandbox';
import { expect, test } from 'vitest';
import { bundleOf, LUNCH, signIn } from './support.ts';

const STORE = 'busiCd=RH2_K_001&compCd=K_KR_001&storCd=CAF81';
const MENU = `/portal/dailyMenu?${STORE}&orgTreeId=2:0:0&saleDt=2026-11-18&mealCd=2`;

/** The answer that a client sees after the fault was turned on: status, type and body, or the error. */
async function meet(fault: Fault, ask: (sandbox: Sandbox) => Promise<Response>, more: object = {}) {
  await using sandbox = await startSandbox();
  const plain = await describeAnswer(ask(sandbox));
  sandbox.setFaults([{ fault, ...more }]);
  const faulty = await describeAnswer(ask(sandbox));
  const { welstory, shinsegae } = sandbox.stats();
  return { plain, faulty, counted: (welstory.faults[fault] ?? 0) + (shinsegae.faults[fault] ?? 0) };
}

async function describeAnswer(promised: Promise<Response>) {
  try {
    const answer = await promised;
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      type: answer.headers.get('content-type')?.split(';')[0],
      body: await answer.text(),
    };
  } catch (error) {
    return { error };
  }
}

const askMenu = (sandbox: Sandbox) => fetch(sandbox.planeatUrl + MENU);
const askTree = (sandbox: Sandbox) => fetch(`${sandbox.planeatUrl}/storTree`);
const askLunch = async (sandbox: Sandbox) => (await signIn(sandbox)).get(LUNCH);

/** The items of a bundle that repeats its name: the heavy one of a lunch. */
const askItems = async (sandbox: Sandbox) => {
  const { id, hall, course } = bundleOf(sandbox);
  const query = `menuDt=20261118&menuMealType=2&restaurantCode=${id}&hallNo=${hall}&menuCourseType=${course}`;
  return (await signIn(sandbox)).get(`/api/meal/detail/nutrient?${query}`);
};

const namesOf = (body: string | undefined) =>
  (JSON.parse(body ?? '') as { data: { menuName: string; kcal: string }[] }).data.map(
    ({ menuName, kcal }) => `${menuName} ${kcal}`,
  );

/** What each fault looks like from outside; a fault that has no row here fails the last test. */
const LOOKS: Record<Fault, () => Promise<void>> = {
  slow: async () => {
    await using sandbox = await startSandbox({ faults: [{ fault: 'slow', path: '/portal', delayMs: 100 }] });
    const order: string[] = [];
    const menu = askMenu(sandbox).then(({ status }) => order.push(`menu ${status}`));
    await askTree(sandbox).then(({ status }) => order.push(`tree ${status}`));
    await menu;
    expect(order).toEqual(['tree 200', 'menu 200']);
  },
  hang: async () => {
    const ask = (sandbox: Sandbox) => fetch(sandbox.planeatUrl + MENU, { signal: AbortSignal.timeout(500) });
    expect((await meet('hang', ask)).faulty.error).toMatchObject({ name: 'TimeoutError' });
  },
  reset: async () => {
    expect((await meet('reset', askMenu)).faulty.error).toBeInstanceOf(TypeError);
  },
  truncated: async () => {
    expect((await meet('truncated', askMenu)).faulty.error).toBeInstanceOf(TypeError);
  },
  'rate-limited': async () => {
    const { faulty } = await meet('rate-limited', askMenu);
    expect(faulty).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  },
  'server-error': async () => expect((await meet('server-error', askMenu)).faulty.status).toBe(500),
  unavailable: async () => {
    const { faulty } = await meet('unavailable', askMenu);
    expect(faulty).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  },
  unauthorized: async () =>
    expect((await meet('unauthorized', askLunch, { path: '/api' })).faulty.status).toBe(401),
  forbidden: async () =>
    expect((await meet('forbidden', askLunch, { path: '/api' })).faulty.status).toBe(403),
  'empty-body': async () =>
    expect((await meet('empty-body', askMenu)).faulty).toMatchObject({ status: 200, body: '' }),
  html: async () =>
    expect((await meet('html', askMenu)).faulty).toMatchObject({ status: 200, type: 'text/html' }),
  malformed: async () => {
    const { faulty } = await meet('malformed', askMenu);
    expect(faulty).toMatchObject({ status: 200, type: 'application/json' });
    expect(() => JSON.parse(faulty.body ?? '')).toThrow(SyntaxError);
  },
  oversized: async () => {
    const { plain, faulty } = await meet('oversized', askMenu);
    expect(faulty.body?.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(faulty.body?.trim()).toBe(plain.body);
  },
  'data-null': async () => {
    expect((await meet('data-null', askMenu)).faulty.body).toBe('{"ds":null}');
    const { faulty } = await meet('data-null', askLunch, { path: '/api' });
    expect(JSON.parse(faulty.body ?? '')).toMatchObject({ code: 0, data: null });
  },
  'wrong-types': async () => {
    const { plain, faulty } = await meet('wrong-types', askMenu);
    const typesOf = (text = '{}') =>
      Object.values((JSON.parse(text) as { ds: object[] }).ds).flatMap((row) =>
        Object.values(row).map((value) => typeof value),
      );
    expect(typesOf(faulty.body)).toHaveLength(typesOf(plain.body).length);
    expect(typesOf(faulty.body)).not.toEqual(typesOf(plain.body));
  },
  'missing-members': async () => {
    const { plain, faulty } = await meet('missing-members', askMenu);
    const count = (text = '{}') =>
      (JSON.parse(text) as { ds: object[] }).ds.flatMap((row) => Object.keys(row)).length;
    expect(count(faulty.body)).toBeLessThan(count(plain.body));
  },
  'unknown-members': async () => {
    const { faulty } = await meet('unknown-members', askMenu);
    expect(JSON.parse(faulty.body ?? '')).toMatchObject({
      ds: expect.arrayContaining([expect.objectContaining({ zzz: 1 })]),
    });
  },
  'session-expired': async () => {
    await using sandbox = await startSandbox();
    const { get } = await signIn(sandbox);
    sandbox.setFaults([{ fault: 'session-expired', path: '/api', count: 1 }]);
    expect((await get(LUNCH)).headers.get('content-type')).toContain('text/html');
    expect((await get(LUNCH)).headers.get('content-type')).toContain('text/html');
    expect((await (await signIn(sandbox)).get(LUNCH)).headers.get('content-type')).toContain('json');
  },
  'session-malformed': async () => {
    const ask = async (sandbox: Sandbox) => (await signIn(sandbox)).get('/session');
    const { plain, faulty } = await meet('session-malformed', ask);
    const token = (text = '{}') => (JSON.parse(text) as { data: unknown }).data;
    expect(token(plain.body)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(String(token(faulty.body))).not.toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  },
  'tree-wrapped': async () => {
    const { plain, faulty } = await meet('tree-wrapped', askTree);
    expect(Object.values(JSON.parse(faulty.body ?? '') as object)).toEqual([JSON.parse(plain.body ?? '')]);
  },
  'tree-moved': async () => {
    const { plain, faulty } = await meet('tree-moved', askTree);
    const codes = (text = '[]') => (JSON.parse(text) as { code: string }[]).map(({ code }) => code);
    expect(codes(faulty.body)).not.toEqual(codes(plain.body));
    expect(codes(faulty.body).toSorted()).toEqual(codes(plain.body).toSorted());
  },
  'foreign-photo-host': async () => {
    const { faulty } = await meet('foreign-photo-host', askMenu);
    expect(faulty.body).toContain('"url":"http://planeatchoice.net/upload/');
  },
  'ds-missing': async () => {
    // Nothing is served on a Saturday.
    const ask = (sandbox: Sandbox) => fetch(sandbox.planeatUrl + MENU.replace('2026-11-18', '2026-11-21'));
    const { plain, faulty } = await meet('ds-missing', ask);
    expect(plain.body).toBe('{"ds":[]}');
    expect(['{"ds":null}', '{"result":"OK"}']).toContain(faulty.body);
    const served = await meet('ds-missing', askMenu);
    expect(served.faulty.body?.length).toBe(served.plain.body?.length);
  },
  'menus-empty': async () => expect((await meet('menus-empty', askMenu)).faulty.body).toBe('{"ds":[]}'),
  'meals-missing': async () => {
    const ask = (sandbox: Sandbox) => fetch(`${sandbox.planeatUrl}/storTime?${STORE}`);
    const { plain, faulty } = await meet('meals-missing', ask);
    expect([plain.body?.includes('mealData'), faulty.body?.includes('mealData')]).toEqual([true, false]);
  },
  'numeric-codes': async () => {
    const { plain, faulty } = await meet('numeric-codes', askMenu);
    expect(plain.body).toContain('"mealCd":"2"');
    expect(plain.body).toMatch(/"itemCd":"IT\d{6}"/);
    expect(faulty.body).toContain('"mealCd":2');
    expect(faulty.body).toMatch(/"itemCd":\d+,/);
  },
  'unknown-meal-code': async () => {
    const { plain, faulty } = await meet('unknown-meal-code', (sandbox) =>
      fetch(sandbox.planeatUrl + MENU.replace('mealCd=2', 'mealCd=20')),
    );
    expect(plain.body).toContain('"mealCd":"2"');
    expect(faulty.body).toBe(plain.body?.replaceAll('"mealCd":"2"', '"mealCd":"20"'));
    const { faulty: lunch } = await meet('unknown-meal-code', async (sandbox) =>
      (await signIn(sandbox)).get(LUNCH.replace('menuMealType=2', 'menuMealType=20')),
    );
    expect(lunch.body).toContain('"menuMealType":"20"');
  },
  'item-code-missing': async () =>
    expect((await meet('item-code-missing', askMenu)).faulty.body).not.toContain('itemCd'),
  'item-seq-missing': async () =>
    expect((await meet('item-seq-missing', askMenu)).faulty.body).not.toContain('itemSeq'),
  'large-tree': async () => {
    const { plain, faulty } = await meet('large-tree', askTree);
    expect(faulty.body?.length).toBeGreaterThan(12 * 1024 * 1024);
    expect(JSON.parse(faulty.body ?? '')).toEqual(JSON.parse(plain.body ?? ''));
  },
  'no-envelope': async () => {
    const { plain, faulty } = await meet('no-envelope', askLunch);
    expect((JSON.parse(plain.body ?? '') as { data: { mealList: [] } }).data.mealList.length).toBeGreaterThan(
      0,
    );
    expect((JSON.parse(faulty.body ?? '') as { mealList: [] }).mealList.length).toBeGreaterThan(0);
  },
  'course-type-missing': async () =>
    expect((await meet('course-type-missing', askLunch)).faulty.body).not.toContain('menuCourseType'),
  'items-failed': async () => expect((await meet('items-failed', askItems)).faulty.status).toBe(500),
  'items-empty': async () => {
    const { plain, faulty } = await meet('items-empty', askItems);
    expect(namesOf(plain.body).length).toBeGreaterThan(10);
    expect(namesOf(faulty.body)).toEqual([]);
  },
  'items-repeat': async () => {
    const { plain, faulty } = await meet('items-repeat', askItems);
    expect(namesOf(faulty.body)).toEqual([namesOf(plain.body)[0]?.replace(/\S+$/, '0')]);
  },
  'login-redirect': async () => {
    await using sandbox = await startSandbox({ faults: [{ fault: 'login-redirect' }] });
    const login = await fetch(`${sandbox.welstoryUrl}/login`, {
      method: 'POST',
      headers: { 'x-device-id': 'd' },
      body: new URLSearchParams({ username: 'sandbox', password: 'sandbox' }),
      redirect: 'manual',
    });
    expect([login.status, login.headers.has('authorization')]).toEqual([302, true]);
  },
  'login-without-token': async () => {
    await using sandbox = await startSandbox({ faults: [{ fault: 'login-without-token' }] });
    const { login } = await signIn(sandbox);
    expect([login.status, login.headers.has('authorization')]).toEqual([200, false]);
  },
  maintenance: async () => {
    await using sandbox = await startSandbox({ faults: [{ fault: 'maintenance', operator: 'welstory' }] });
    const { login, get } = await signIn(sandbox);
    expect([login.status, login.headers.has('authorization')]).toEqual([200, true]);
    const answer = await get(LUNCH);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('점검')]);
  },
  'json-as-html': async () => {
    const { plain, faulty } = await meet('json-as-html', askTree);
    expect([plain.type, faulty.type]).toEqual(['application/json', 'text/html']);
    expect(faulty.body).toBe(plain.body);
  },
  redirect: async () => {
    const { plain, faulty } = await meet('redirect', askTree);
    expect(faulty.body).toBe(plain.body);
    const manual = (sandbox: Sandbox) => fetch(`${sandbox.planeatUrl}/storTree`, { redirect: 'manual' });
    expect((await meet('redirect', manual)).faulty.status).toBe(302);
  },
  'address-blocked': async () => expect((await meet('address-blocked', askTree)).faulty.status).toBe(403),
  'address-limited': async () =>
    expect((await meet('address-limited', askTree)).faulty).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
    }),
  'photo-untyped': async () => {
    await using sandbox = await startSandbox({ faults: [{ fault: 'photo-untyped' }] });
    const photo = await fetch(`${sandbox.welstoryUrl}/data/manager/recipe/a.png`);
    expect([photo.status, photo.headers.has('content-type')]).toEqual([200, false]);
    expect(Buffer.from(await photo.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
  },
  'photo-referer': async () => {
    await using sandbox = await startSandbox({ faults: [{ fault: 'photo-referer' }] });
    const photo = `${sandbox.welstoryUrl}/data/manager/recipe/a.png`;
    expect((await fetch(photo)).status).toBe(403);
    const referer = 'https://welplus.welstory.com';
    expect((await fetch(photo, { headers: { referer } })).status).toBe(403);
    expect((await fetch(photo, { headers: { referer, 'user-agent': 'Mozilla/5.0' } })).status).toBe(200);
  },
};

test.each(Object.keys(FAULTS) as Fault[])('%s', async (fault) => {
  expect.hasAssertions();
  await LOOKS[fault]();
});

test('a fault is counted and stops when its rule is taken away', async () => {
  await using sandbox = await startSandbox({ faults: [{ fault: 'server-error', operator: 'shinsegae' }] });
  expect((await askMenu(sandbox)).status).toBe(500);
  expect((await askLunch(sandbox)).status).toBe(200);
  sandbox.setFaults([]);
  expect((await askMenu(sandbox)).status).toBe(200);
  expect(sandbox.stats().shinsegae).toMatchObject({ requests: 2, faults: { 'server-error': 1 } });
});

test('what it is asked is counted by minute, restaurant and day', async () => {
  let nowMs = Date.parse('2026-11-18T03:00:00Z');
  await using sandbox = await startSandbox({ clock: () => nowMs, latencyMs: 0 });
  for (const passedMs of [0, 20_000, 30_000, 20_000, 90_000]) {
    nowMs += passedMs;
    await askMenu(sandbox);
  }
  await askLunch(sandbox);
  const { shinsegae, welstory } = sandbox.stats();
  expect(shinsegae).toMatchObject({ requests: 5, maxPerMinute: 3, byDay: { CAF81: { '2026-11-18': 5 } } });
  expect(welstory).toMatchObject({ requests: 2, maxPerMinute: 2 });
  expect(Object.values(welstory.byDay)).toEqual([{ '20261118': 1 }]);
});

test('two sandboxes of one seed answer alike, faults included', async () => {
  const run = async () => {
    await using sandbox = await startSandbox({
      seed: 's',
      faults: [{ fault: 'missing-members', rate: 0.5 }],
    });
    const bodies: string[] = [];
    for (let at = 0; at < 10; at += 1)
      bodies.push((await (await askMenu(sandbox)).text()).replaceAll(sandbox.url, ''));
    return bodies;
  };
  expect(await run()).toEqual(await run());
});
