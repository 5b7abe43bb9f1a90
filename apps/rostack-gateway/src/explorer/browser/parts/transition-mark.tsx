import type { TransitionName } from '../live/rate-window.ts';

const MARKS: Readonly<Record<TransitionName, string>> = { create: '+', update: '~', delete: '−' };

/** What an event does to a record, by sign, word and colour. */
export function TransitionMark({ of }: { readonly of: TransitionName }) {
  return (
    <span class={`transition ${of}`}>
      <span aria-hidden="true">{MARKS[of]}</span> {of}
    </span>
  );
}
