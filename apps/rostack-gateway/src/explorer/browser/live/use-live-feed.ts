import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Session } from '../session.ts';
import { LiveFeed, type LiveQuery } from './live-feed.ts';

/** The shortest time between two drawings of what comes in. */
const DRAW_MS = 100;

/** The chart moves on when nothing comes in. */
const TICK_MS = 1_000;

/** The feed of the newest query; it stays, ended, when the query is taken away. Undefined before the first one. */
export function useLiveFeed(session: Session, query: LiveQuery | undefined): LiveFeed | undefined {
  const feed = useRef<LiveFeed>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    if (query === undefined) return undefined;
    const ended = new AbortController();
    let drawing: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      drawing = undefined;
      redraw(undefined);
    };
    feed.current = new LiveFeed(() => {
      drawing ??= setTimeout(draw, DRAW_MS);
    });
    const timer = setInterval(draw, TICK_MS);
    void feed.current.run(session, query, ended.signal).then(draw);
    draw();
    return () => {
      ended.abort();
      clearInterval(timer);
    };
  }, [session, query]);

  return feed.current;
}
