import type { Transition } from 'rostack-core';
import { TRANSITION_SIGNS } from '../../description/transition-signs.ts';

/** What an event does to a record, by sign, word and colour. */
export function TransitionMark({ of }: { readonly of: Transition }) {
  return (
    <span class={`transition ${of}`}>
      <span aria-hidden="true">{TRANSITION_SIGNS[of]}</span> {of}
    </span>
  );
}
