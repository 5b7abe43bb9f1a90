import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { Vendor } from '../catalogue/restaurant.ts';
import { createRandom } from '../seeded/random.ts';
import { BODY_FAULTS } from './body-faults.ts';
import type { SandboxEnv } from './context.ts';
import type { Fault, FaultRule } from './fault-rule.ts';
import type { Injector } from './injector.ts';
import type { OperatorStats } from './stats.ts';

export interface FaultMiddlewareOptions {
  readonly operator: Vendor;
  readonly seed: string;
  readonly injector: Injector;
  readonly stats: OperatorStats;
  /** Faults that change the operator itself before it answers. */
  readonly stateFaults: Readonly<Partial<Record<Fault, () => void>>>;
}

/** Where a server was made before this was loaded, the original is one of those that the server writes without a look at their header fields. */
const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

/** The page that the operator's own app shows photos on. */
const WELSTORY_PAGE = 'https://welplus.welstory.com';
const OVERSIZE_BYTES = 4 * 1024 * 1024;
const LARGE_TREE_BYTES = 12 * 1024 * 1024;

export const HTML_PAGE =
  '<!doctype html><html lang="ko"><head><title>로그인</title></head><body><form action="/login"></form></body></html>';

const MAINTENANCE_PAGE =
  '<!doctype html><html lang="ko"><head><title>시스템 점검</title></head><body><p>점검 중입니다.</p></body></html>';

/** Answers that replace those of the operator. */
const REPLACEMENTS: Readonly<Partial<Record<Fault, (c: Context<SandboxEnv>) => Response>>> = {
  'rate-limited': (c) => c.json({ message: 'Too Many Requests' }, 429, { 'retry-after': '1' }),
  'items-failed': (c) => c.json({ message: 'Internal Server Error' }, 500),
  'server-error': (c) => c.json({ message: 'Internal Server Error' }, 500),
  unavailable: (c) => c.text('Service Unavailable', 503, { 'retry-after': '1' }),
  unauthorized: (c) => c.json({ message: 'Unauthorized' }, 401),
  forbidden: (c) => c.json({ message: 'Forbidden' }, 403),
  'empty-body': (c) => c.body('', 200),
  html: (c) => c.html(HTML_PAGE),
  'login-without-token': (c) => c.json({ code: 0, message: '비밀번호를 변경해 주세요.', data: null }),
  maintenance: (c) => c.html(MAINTENANCE_PAGE),
  malformed: (c) => c.body('{"data":[{"menuName":"제육볶', 200, { 'content-type': 'application/json' }),
  'address-blocked': (c) => c.text('Forbidden', 403),
  'address-limited': (c) => c.json({ message: 'Too Many Requests' }, 429, { 'retry-after': '60' }),
  'photo-referer': (c) => c.text('Forbidden', 403),
  redirect: (c) => {
    const { pathname, searchParams } = new URL(c.req.url);
    searchParams.set('redirected', '1');
    return c.redirect(`${pathname}?${searchParams.toString()}`);
  },
  reset: (c) => {
    c.env.incoming.socket.resetAndDestroy();
    return ALREADY_SENT;
  },
  truncated: (c) => {
    const { outgoing } = c.env;
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '4096' });
    outgoing.write('{"data":[', () => outgoing.destroy());
    return ALREADY_SENT;
  },
};

function applies(rule: FaultRule, c: Context<SandboxEnv>, path: string): boolean {
  const isPhoto = path.endsWith('.png');
  switch (rule.fault) {
    case 'photo-referer':
      return (
        isPhoto &&
        (c.req.header('referer')?.startsWith(WELSTORY_PAGE) !== true ||
          c.req.header('user-agent')?.startsWith('Mozilla/') !== true)
      );
    case 'session-malformed':
      return path === '/session';
    case 'tree-wrapped':
    case 'tree-moved':
      return path === '/storTree';
    case 'large-tree':
      return path === '/storTree';
    case 'meals-missing':
      return path === '/storTime';
    case 'foreign-photo-host':
    case 'ds-missing':
    case 'menus-empty':
    case 'item-code-missing':
    case 'item-seq-missing':
      return path === '/portal/dailyMenu';
    case 'course-type-missing':
      return path === '/api/meal';
    case 'items-failed':
    case 'items-empty':
    case 'items-repeat':
      return path === '/api/meal/detail/nutrient';
    case 'no-envelope':
      return path.startsWith('/api/');
    case 'login-redirect':
    case 'login-without-token':
      return path === '/login';
    case 'maintenance':
      return !isPhoto && path !== '/login';
    case 'address-blocked':
    case 'address-limited':
      return !isPhoto && c.env.incoming.socket.remoteAddress === '127.0.0.1';
    case 'photo-untyped':
      return isPhoto;
    case 'redirect':
      return !isPhoto && c.req.method === 'GET' && c.req.query('redirected') === undefined;
    default:
      return !isPhoto || rule.path !== undefined;
  }
}

/** Delays an answer; ends early when the client goes away, or is cut off because the sandbox closes. */
async function wait(c: Context<SandboxEnv>, delayMs: number): Promise<void> {
  const gone = new AbortController();
  const { outgoing } = c.env;
  const leave = () => gone.abort();
  outgoing.once('close', leave);
  await sleep(delayMs, undefined, { signal: gone.signal }).catch(() => {});
  outgoing.off('close', leave);
}

/** Applies the faults that the injector draws for a request; there may be several. */
export function faultMiddleware(options: FaultMiddlewareOptions): MiddlewareHandler<SandboxEnv> {
  const { operator, seed, injector, stats, stateFaults } = options;
  return async (c, next) => {
    const path = c.req.path.slice(c.req.path.indexOf('/', 1));
    const faults = new Map(
      injector.draw(operator, path, (rule) => applies(rule, c, path)).map((rule) => [rule.fault, rule]),
    );
    for (const fault of faults.keys()) {
      stats.faults[fault] = (stats.faults[fault] ?? 0) + 1;
      stateFaults[fault]?.();
    }
    if (faults.has('hang')) await wait(c, 2 ** 31 - 1);
    const slow = faults.get('slow');
    if (slow !== undefined) await wait(c, slow.delayMs ?? 3000);
    for (const fault of faults.keys()) {
      const replace = REPLACEMENTS[fault];
      if (replace !== undefined) return replace(c);
    }
    await next();
    if (faults.has('photo-untyped')) {
      const { status } = c.res;
      const bytes = Buffer.from(await c.res.arrayBuffer());
      // Bypasses the server, which would add a content type to every answer.
      c.env.outgoing.writeHead(status, { 'content-length': bytes.length }).end(bytes);
      c.res = undefined;
      c.res = ALREADY_SENT;
      return undefined;
    }
    const token = c.res.headers.get('authorization');
    if (faults.has('login-redirect') && token !== null) {
      c.res = new Response(null, { status: 302, headers: { authorization: token, location: '/main' } });
      return undefined;
    }
    if (!c.res.headers.get('content-type')?.includes('application/json')) return undefined;
    const changes = [...faults.keys()].flatMap((fault) => BODY_FAULTS[fault] ?? []);
    const padding = faults.has('large-tree')
      ? LARGE_TREE_BYTES
      : faults.has('oversized')
        ? OVERSIZE_BYTES
        : 0;
    const asHtml = faults.has('json-as-html');
    if (changes.length === 0 && padding === 0 && !asHtml) return undefined;
    const random = createRandom(seed, 'body', stats.requests);
    const changed = changes.reduce<unknown>((body, change) => change(body, random), await c.res.json());
    const text = JSON.stringify(changed) + ' '.repeat(padding);
    c.res = new Response(text, {
      status: c.res.status,
      headers: { 'content-type': asHtml ? 'text/html' : 'application/json' },
    });
    return undefined;
  };
}
