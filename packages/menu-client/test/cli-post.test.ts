import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_CREDENTIALS, type Sandbox, startSandbox } from 'menu-sandbox';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { POST_SERVICES } from '../src/cli/post/post-services.ts';
import { runCli } from '../src/cli/run-cli.ts';

// A Friday at 11:20 in Seoul, and its Sunday.
const LUNCH_MS = Date.parse('2026-11-20T02:20:00Z');
const SUNDAY_MS = Date.parse('2026-11-22T02:20:00Z');
const SECRET = '/services/T000/B000/very-secret';

interface Posted {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: Record<string, unknown>;
}

let sandbox: Sandbox;
let webhook: Server;
let base: string;
const posted: Posted[] = [];
let answer: { status: number; headers: Record<string, string>; body: string };

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => LUNCH_MS });
  webhook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      posted.push({ path: request.url, type: request.headers['content-type'], body: JSON.parse(body) });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  base = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}`;
  answer = { status: 200, headers: {}, body: 'ok' };
});
afterEach(() => {
  posted.length = 0;
  answer = { status: 200, headers: {}, body: 'ok' };
});
afterAll(async () => {
  webhook.close();
  await sandbox.close();
});

async function run(
  args: readonly string[],
  {
    env = {},
    stdin = [],
    nowMs = LUNCH_MS,
  }: { env?: Record<string, string>; stdin?: string[]; nowMs?: number } = {},
) {
  const written = { out: '', err: '' };
  const code = await runCli(args, {
    environment: {
      ...sandbox.environment,
      WELSTORY_USERNAME: DEFAULT_CREDENTIALS.username,
      WELSTORY_PASSWORD: DEFAULT_CREDENTIALS.password,
      ...env,
    },
    stdin: (async function* () {
      yield* stdin;
    })(),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    nowMs: () => nowMs,
  });
  return { code, ...written };
}

const FORMS: Readonly<Record<(typeof POST_SERVICES)[number], (body: Record<string, unknown>) => string>> = {
  slack: ({ text, ...rest }) => {
    expect(rest).toEqual({ unfurl_links: false });
    return String(text);
  },
  discord: ({ content, ...rest }) => {
    expect(rest).toEqual({ allowed_mentions: { parse: [] } });
    expect(String(content).length).toBeLessThanOrEqual(2_000);
    return String(content);
  },
  teams: (body) => {
    expect(body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock' }, { wrap: true }] },
        },
      ],
    });
    return JSON.stringify(body);
  },
  kakaowork: ({ text, ...rest }) => {
    expect(rest).toEqual({});
    expect(String(text).length).toBeLessThanOrEqual(500);
    return String(text);
  },
  webhook: ({ text, menu }) => {
    expect(menu).toMatchObject({ date: '2026-11-20', restaurant: { id: 'REST000007' } });
    return String(text);
  },
};

test.each(POST_SERVICES)('the menus of a day are posted in the form of %s', async (service) => {
  const { code, out, err } = await run(['today', 'R5 1식당 점심', '--post', service], {
    env: { POST_WEBHOOK_URL: base + SECRET },
  });
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
  expect(posted).toHaveLength(1);
  const [{ path, type, body } = { path: '', type: '', body: {} }] = posted;
  expect([path, type]).toEqual([SECRET, 'application/json; charset=utf-8']);
  const text = FORMS[service](body);
  expect(text).toContain('R5 1식당 (한빛전자) 11월 20일 (금) 메뉴');
  const lunch = sandbox
    .plan('welstory', 'REST000007', '2026-11-20')
    .find(({ meal }) => meal.label === '중식');
  expect(text).toContain(lunch?.courses[0]?.dishes[0]?.name);
});

test('the address comes from the arguments or from standard input as well, and is in no message', async () => {
  const args = ['today', 'R5 1식당', '--post', 'slack'];
  expect((await run([...args, base + SECRET])).code).toBe(0);
  expect((await run([...args, '-'], { stdin: [`${base}${SECRET}\n`] })).code).toBe(0);
  expect(posted.map(({ path }) => path)).toEqual([SECRET, SECRET]);

  answer = { status: 429, headers: { 'Retry-After': '7' }, body: 'slow down' };
  const refused = await run([...args, base + SECRET]);
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: 'The webhook refused the message (HTTP 429; it asks to wait 7 s).\n',
  });
  answer = { status: 302, headers: { Location: `${base}/elsewhere` }, body: '' };
  expect((await run([...args, base + SECRET])).err).toContain('HTTP 302');
  answer = { status: 200, headers: {}, body: '{"success": false}' };
  expect((await run([...args, base + SECRET])).code).toBe(1);
  for (const url of ['http://127.0.0.1:1' + SECRET, 'http://example.org' + SECRET, 'https://[' + SECRET]) {
    const { code, err } = await run([...args, url]);
    expect(code, url).toBeGreaterThan(0);
    expect(err).toMatch(/^The webhook /);
    expect(err).not.toMatch(/very-secret|T000/);
  }
});

test('a day without menus posts nothing and is no failure; menus that cannot be read are one', async () => {
  const args = ['today', 'R5 1식당', '--post', 'slack', base + SECRET];
  expect(await run(args, { nowMs: SUNDAY_MS })).toEqual({
    code: 0,
    out: '',
    err: 'There are no menus: nothing was posted.\n',
  });
  expect(posted).toEqual([]);

  const path = '/api/meal';
  sandbox.setFaults([{ fault: 'server-error', operator: 'welstory', path }]);
  const unread = await run(args);
  expect([unread.code, unread.out, posted]).toEqual([1, '', []]);
  expect(unread.err).toMatch(/^(?:.+ could not be read \(\w+\)\.\n)+$/);
  sandbox.setFaults([]);
  expect((await run(args)).code).toBe(0);
  expect(posted).toHaveLength(1);
});

test('a name that several restaurants have is a failure that says how to name one; wrong arguments say what to send', async () => {
  const several = await run(['today', '스낵바']);
  expect([several.code, several.out]).toEqual([1, '']);
  expect(several.err).toMatch(/names \d+ restaurants: 스낵바 \(.+, CAF\d+\); .+Add a place/);
  expect((await run(['today', '스낵바', '구미'])).out).toContain('스낵바');
  expect((await run(['today', 'REST000007', '--json'])).out).toContain('"id": "REST000007"');
  for (const [args, hint] of [
    [['today', '오늘'], 'Name a restaurant'],
    [['today', 'R5 1식당', '--post', 'fax'], '--post is one of'],
    [['today', 'R5 1식당', '--post', 'slack'], 'POST_WEBHOOK_URL'],
    [['today', 'R5 1식당', 'https://example.org/x'], 'goes with --post'],
  ] as const) {
    const { code, err } = await run(args);
    expect([code, err.includes(hint), err.includes('Usage:')], hint).toEqual([2, true, true]);
  }
});
