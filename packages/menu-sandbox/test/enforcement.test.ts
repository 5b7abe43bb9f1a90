import { startSandbox } from 'menu-sandbox';
import { expect, test } from 'vitest';
import { LUNCH, signIn } from './support.ts';

test('a wrong password gets no token', async () => {
  await using sandbox = await startSandbox();
  const { login } = await signIn(sandbox, { username: 'sandbox', password: 'wrong' });
  expect(login.status).toBe(401);
  expect(login.headers.get('authorization')).toBeNull();
  expect(sandbox.stats().welstory).toMatchObject({ logins: 0, failedLogins: 1 });
});

test('other credentials replace the default ones', async () => {
  const credentials = { username: 'a', password: 'b' };
  await using sandbox = await startSandbox({ credentials });
  expect((await signIn(sandbox)).login.status).toBe(401);
  expect((await signIn(sandbox, credentials)).login.status).toBe(200);
});

test('a request without a token is refused with 401, one from another device with 403', async () => {
  await using sandbox = await startSandbox();
  const { get } = await signIn(sandbox);
  expect((await fetch(sandbox.welstoryUrl + LUNCH)).status).toBe(401);
  expect((await get(LUNCH, { 'x-device-id': crypto.randomUUID() })).status).toBe(403);
  expect((await get(LUNCH)).status).toBe(200);
  expect(sandbox.stats().welstory.refusedTokens).toBe(2);
});

test('an expired token gets an empty body, a new one from the session lives on', async () => {
  let nowMs = Date.parse('2026-11-18T03:00:00Z');
  await using sandbox = await startSandbox({ clock: () => nowMs, tokenTtlMs: 600_000 });
  const { get, headers } = await signIn(sandbox);
  nowMs += 590_000;
  const { data } = (await (await get('/session')).json()) as { data: string };
  const [, payload = ''] = data.split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    exp: Math.floor(nowMs / 1000) + 600,
  });
  nowMs += 20_000;
  const expired = await get(LUNCH);
  expect([expired.status, await expired.text()]).toEqual([200, '']);
  const renewed = await fetch(sandbox.welstoryUrl + LUNCH, { headers: { ...headers, authorization: data } });
  expect(await renewed.json()).toMatchObject({ data: { mealList: expect.any(Array) } });
});

test('a session that the operator has dropped gets a page for people', async () => {
  await using sandbox = await startSandbox();
  const { get } = await signIn(sandbox);
  sandbox.expireSessions();
  const answer = await get(LUNCH);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect((await (await signIn(sandbox)).get(LUNCH)).headers.get('content-type')).toContain(
    'application/json',
  );
});

test('of two requests at once one gets an empty body, and the account is free again afterwards', async () => {
  await using sandbox = await startSandbox({ latencyMs: 30 });
  const { get } = await signIn(sandbox);
  const bodies = await Promise.all([get(LUNCH), get(LUNCH)].map(async (answer) => (await answer).text()));
  expect(bodies.filter((body) => body === '')).toHaveLength(1);
  expect(sandbox.stats().welstory).toMatchObject({ refusedConcurrent: 1, maxInFlight: 2 });
  for (let round = 0; round < 20; round += 1) expect(await (await get(LUNCH)).text()).not.toBe('');
});

test('a client that gives up frees the account', async () => {
  await using sandbox = await startSandbox({ faults: [{ fault: 'hang', path: '/api/meal', count: 1 }] });
  const { get } = await signIn(sandbox);
  await expect(get(LUNCH, {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  await expect.poll(() => sandbox.stats().welstory.inFlight).toBe(0);
  expect(await (await get(LUNCH)).text()).not.toBe('');
});

test('meal times are those of the restaurant in the cookie', async () => {
  const clock = () => Date.parse('2026-11-18T03:30:00Z'); // 12:30 in Seoul
  await using sandbox = await startSandbox({ clock });
  const { get } = await signIn(sandbox);
  const times = async (cookie: string) =>
    ((await (await get('/api/menu/getMealTimeList', { cookie })).json()) as { data: unknown }).data;
  const { meals = [] } = sandbox.restaurants.find(({ id }) => id === 'REST000007') ?? {};
  expect(await times('cafeteriaActiveId=REST000007')).toEqual(
    meals.map(({ code, label }) => ({ code, codeNm: label, tmYn: code === '2' ? 'Y' : 'N' })),
  );
  expect(await times('cafeteriaActiveId=REST999999')).toBeNull();
  expect(await times('')).toBeNull();
});

test('calls that change the account are counted', async () => {
  await using sandbox = await startSandbox();
  const { get } = await signIn(sandbox);
  await get('/api/mypage/rest-regi', {}, { method: 'POST' });
  expect(sandbox.stats().welstory.stateChanges).toBe(1);
});

test('an orgTreeId of before the tree changed is refused', async () => {
  await using sandbox = await startSandbox();
  const query = 'busiCd=RH2_K_001&compCd=K_KR_001&storCd=CAF81&saleDt=2026-11-18&mealCd=2';
  const menu = (orgTreeId: string) =>
    fetch(`${sandbox.planeatUrl}/portal/dailyMenu?${query}&orgTreeId=${orgTreeId}`);
  expect((await menu('2:0:0')).status).toBe(200);
  sandbox.moveTree();
  expect((await menu('2:0:0')).status).toBe(400);
  expect((await menu('3:0:0')).status).toBe(200);
});
