import type { Clock, Fetch } from 'menu-client';

/** What one request is answered with; a thrown error is a connection that broke. */
export type Answer = string | Response | Error | ((request: Request) => Response | Promise<Response>);

export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

export interface ScriptedOperator {
  readonly fetch: Fetch;
  readonly requests: readonly ScriptedRequest[];
  /** How many requests were under way at once at most. */
  readonly maxInFlight: () => number;
}

/** Answers each path with its answers in turn; the last one repeats. A path without answers is a failed test. */
export function scriptedOperator(answers: Readonly<Record<string, readonly Answer[]>>): ScriptedOperator {
  const requests: ScriptedRequest[] = [];
  const counts = new Map<string, number>();
  let inFlight = 0;
  let most = 0;
  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    inFlight += 1;
    most = Math.max(most, inFlight);
    try {
      const body = await request.clone().text();
      requests.push({
        method: request.method,
        path: url.pathname,
        query: url.searchParams,
        headers: new Headers(init?.headers),
        body,
      });
      const count = counts.get(url.pathname) ?? 0;
      counts.set(url.pathname, count + 1);
      const script = answers[url.pathname] ?? [];
      const answer = script[Math.min(count, script.length - 1)];
      if (answer === undefined) throw new Error(`no answer scripted for ${url.pathname}`);
      if (answer instanceof Error) throw answer;
      if (typeof answer === 'function') return await answer(request);
      return typeof answer === 'string' ? json(answer) : answer.clone();
    } finally {
      inFlight -= 1;
    }
  };
  return { fetch, requests, maxInFlight: () => most };
}

export function json(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

export interface ManualClock extends Clock {
  /** Every delay that was slept, in ms. */
  readonly slept: readonly number[];
  advance(ms: number): void;
}

/** Time passes only when somebody sleeps, and then at once. */
export function manualClock(startMs = Date.parse('2026-11-18T03:00:00Z')): ManualClock {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    slept,
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    sleep: async (ms, signal) => {
      if (signal?.aborted === true) return;
      slept.push(ms);
      nowMs += ms;
      await Promise.resolve();
    },
  };
}

/** A token as the operator gives it, valid for an hour of the clock. */
export function token(clock: Clock, name: string, lifeMs = 3_600_000): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `Bearer ${part({ alg: 'HS256' })}.${part({ name, exp: (clock.nowMs() + lifeMs) / 1000 })}.c2ln`;
}
