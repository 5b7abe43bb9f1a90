import type { Frame } from './frame.ts';

const MAX_SHOWN_LENGTH = 4_000;

const SIGNS = { sent: '↑', received: '↓' } as const;

/** WebSocket frames as they went over the wire, newest first; tokens are hidden. */
export function FrameList({ frames, count }: { readonly frames: readonly Frame[]; readonly count: number }) {
  return (
    <details class="frames">
      <summary>Raw frames ({count})</summary>
      <section class="scroller tall" tabIndex={0} aria-label="Raw frames, newest first">
        <ol reversed start={count}>
          {frames.map(({ key, direction, atMs, text }) => (
            <li key={key} class={direction}>
              <span class="frame-head">
                <span aria-hidden="true">{SIGNS[direction]}</span> {direction}{' '}
                {new Date(atMs).toISOString().slice(11, 23)}
              </span>
              <code>{text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text}</code>
            </li>
          ))}
        </ol>
      </section>
    </details>
  );
}
