import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Session } from '../session.ts';
import { LiveFeed, type LiveQuery } from './live-feed.ts';

const TICK_MS = 1_000;

/** The feed of a query, drawn at most once a frame and once a second besides; undefined where there is no query. */
export function useLiveFeed(session: Session, query: LiveQuery | undefined): LiveFeed | undefined {
  const feed = useRef<LiveFeed>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    if (query === undefined) return undefined;
    const ended = new AbortController();
    let drawing = 0;
    const draw = () => {
      drawing = 0;
      redraw(undefined);
    };
    feed.current = new LiveFeed(() => {
      if (drawing === 0 && !ended.signal.aborted) drawing = requestAnimationFrame(draw);
    });
    void feed.current.run(session, query, ended.signal);
    const timer = setInterval(draw, TICK_MS);
    draw();
    return () => {
      ended.abort();
      clearInterval(timer);
      cancelAnimationFrame(drawing);
    };
  }, [session, query]);

  return feed.current;
}
