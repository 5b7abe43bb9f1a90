import type { CafeteriaConfig } from 'cafeteria-web';
import { type Clock, systemClock } from 'menu-client';
import { type FaultRule, type Scenario, startSandbox } from 'menu-sandbox';
import { ANSWER_WAIT_MS } from '../../src/running/waits.ts';
import { LUNCH_MS, startTestCafeteria } from './running.ts';

/** A site over operators of its own; its clock starts at noon and only moves when a test moves it. */
export async function openSite(
  options: {
    readonly faults?: FaultRule[];
    readonly welstory?: boolean;
    /** How long pages wait, in ms. @default as long as any answer */
    readonly pageWaitMs?: number;
    /** The shapes that the operators answer in. @default 'sample' */
    readonly scenario?: Scenario;
    /** When the clock starts, in ms since the epoch. @default lunch */
    readonly startMs?: number;
    readonly chats?: CafeteriaConfig['chats'];
  } = {},
) {
  const { faults = [], welstory = true, pageWaitMs = ANSWER_WAIT_MS, startMs = LUNCH_MS } = options;
  const { scenario = 'sample', chats } = options;
  await using opened = new AsyncDisposableStack();
  let nowMs = startMs;
  const clock: Clock = {
    nowMs: () => nowMs,
    // The waits between attempts are short ones; deadlines are long ones.
    sleep: (ms, signal) => systemClock.sleep(ms < 5_000 ? Math.min(ms, 10) : ms, signal),
  };
  const sandbox = opened.use(await startSandbox({ clock: () => nowMs, latencyMs: 0, faults, scenario }));
  const upstream = {
    kind: 'live',
    environment: welstory ? sandbox.environment : { PLANEAT_BASE_URL: sandbox.planeatUrl },
  } as const;
  const { url } = opened.use(
    await startTestCafeteria(
      { upstream, pageWaitMs, photoOrigins: [new URL(sandbox.url).origin], ...(chats && { chats }) },
      clock,
    ),
  );
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, { headers });
  const text = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await get(path, headers)).text();
  const owned = opened.move();
  return {
    sandbox,
    url,
    get,
    text,
    /** The main part of a page. */
    main: async (path: string, headers: Record<string, string> = {}) =>
      /<main.*<\/main>/s.exec(await text(path, headers))?.[0] ?? '',
    health: async () => JSON.parse(await text('/api/health')) as { status: string },
    passTime: (ms: number) => {
      nowMs += ms;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
