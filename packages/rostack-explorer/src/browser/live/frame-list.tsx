import { useState } from 'preact/hooks';
import type { Frame } from '../session/recording-web-socket.ts';

const MAX_SHOWN_LENGTH = 4_000;

const SIGNS = { sent: '↑', received: '↓' } as const;

/** WebSocket frames as they went over the wire, newest first; tokens are hidden. Drawn only while it is open. */
export function FrameList({ frames, count }: { readonly frames: readonly Frame[]; readonly count: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="frames" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Raw frames ({count})</summary>
      {open ? (
        <section class="scroller tall" tabIndex={0} aria-label="Raw frames, newest first">
          <ol reversed start={count}>
            {frames.map((frame) => (
              <FrameItem key={frame.key} frame={frame} />
            ))}
          </ol>
        </section>
      ) : null}
    </details>
  );
}

function FrameItem({ frame: { direction, atMs, text } }: { readonly frame: Frame }) {
  return (
    <li class={direction}>
      <span class="frame-head">
        <span aria-hidden="true">{SIGNS[direction]}</span> {direction}{' '}
        {new Date(atMs).toISOString().slice(11, 23)}
      </span>
      <code>{text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text}</code>
    </li>
  );
}
