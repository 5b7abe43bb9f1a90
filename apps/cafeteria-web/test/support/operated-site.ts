import { type Clock, systemClock } from 'menu-client';
import { type FaultRule, startSandbox } from 'menu-sandbox';
import { ANSWER_WAIT_MS } from '../../src/running/waits.ts';
import { LUNCH_MS, startTestCafeteria } from './running.ts';

/** A site over operators of its own; its clock starts at noon and only moves when a test moves it. */
export async function openSite(
  options: {
    readonly faults?: FaultRule[];
    readonly welstory?: boolean;
    /** How long pages wait, in ms. @default as long as any answer */
    readonly pageWaitMs?: number;
  } = {},
) {
  const { faults = [], welstory = true, pageWaitMs = ANSWER_WAIT_MS } = options;
  await using opened = new AsyncDisposableStack();
  let nowMs = LUNCH_MS;
  const clock: Clock = {
    nowMs: () => nowMs,
    // The waits between attempts are short ones; deadlines are long ones.
    sleep: (ms, signal) => systemClock.sleep(ms < 5_000 ? Math.min(ms, 10) : ms, signal),
  };
  const sandbox = opened.use(await startSandbox({ clock: () => nowMs, latencyMs: 0, faults }));
  const upstream = {
    kind: 'live',
    environment: welstory ? sandbox.environment : { PLANEAT_BASE_URL: sandbox.planeatUrl },
  } as const;
  const { url } = opened.use(await startTestCafeteria({ upstream, pageWaitMs }, clock));
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
    main: async (path: string) => /<main.*<\/main>/s.exec(await text(path))?.[0] ?? '',
    health: async () => JSON.parse(await text('/api/health')) as { status: string },
    passTime: (ms: number) => {
      nowMs += ms;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
