import type { Sandbox } from 'menu-sandbox';

/** A careful client of one account: one request after the other. */
export async function signIn(sandbox: Sandbox, credentials = { username: 'sandbox', password: 'sandbox' }) {
  const device = { 'x-device-id': crypto.randomUUID(), 'user-agent': 'Welplus' };
  const login = await fetch(`${sandbox.welstoryUrl}/login`, {
    method: 'POST',
    headers: { ...device, 'x-autologin': 'N' },
    body: new URLSearchParams({ ...credentials, 'remember-me': 'false' }),
  });
  await login.text();
  const headers = { ...device, authorization: login.headers.get('authorization') ?? '' };
  return {
    login,
    headers,
    get: (path: string, extra: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(sandbox.welstoryUrl + path, { ...init, headers: { ...headers, ...extra } }),
  };
}

export const LUNCH = '/api/meal?menuDt=20261118&menuMealType=2&restaurantCode=REST000007';

/** A bundle of over 3,000 kcal that a Welstory restaurant offers for lunch on 2026-11-18. */
export function bundleOf(sandbox: Sandbox) {
  for (const { vendor, id } of sandbox.restaurants) {
    if (vendor !== 'welstory') continue;
    const lunch = sandbox.plan(vendor, id, '2026-11-18').find(({ meal }) => meal.code === '2');
    const heavy = lunch?.courses.find(({ takeOut }) => takeOut === 'heavy');
    if (heavy !== undefined) return { id, hall: `E${id.slice(-3)}`, course: heavy.id, plan: heavy };
  }
  throw new Error('no restaurant offers a bundle');
}
