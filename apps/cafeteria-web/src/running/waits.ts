import type { WaitOptions } from 'menu-client';

/** How long a page may wait for what has to be read first, in ms: with its rendering, people wait 800 ms at most. */
export const PAGE_WAIT_MS = 500;

/** How long any answer may wait, in ms: those of programs, which do not come back by themselves. */
export const ANSWER_WAIT_MS = 8_000;

/** What the service worker waits for an answer before it shows a kept page, in ms: longer than the server may take. */
export const WORKER_WAIT_MS = 2 * ANSWER_WAIT_MS;

/** How long an answer in a chat may wait, in ms: KakaoTalk gives up after 5 s, Slack after 3 s. */
export const CHAT_WAIT_MS = 1_500;

/** How long an answer waits, in ms, to find out whether the photo that others show of it is there: a page, and a chat. */
export const PHOTO_WAIT_MS = { page: 300, chat: 700 } as const;

/** Counts down from now: every part of an answer that is given it shares the one wait. @param totalMs in ms */
export function countdown(totalMs: number): WaitOptions {
  const untilMs = performance.now() + totalMs;
  return {
    get waitMs() {
      return Math.max(0, untilMs - performance.now());
    },
  };
}
