import type { EventDescriptor } from 'rostack-core';

const MARKS: Readonly<Record<EventDescriptor['state_transition'], string>> = {
  create: '+',
  update: '~',
  delete: '−',
};

/** What an event does to a record, by sign, word and colour. */
export function Transition({ of }: { readonly of: EventDescriptor['state_transition'] }) {
  return (
    <span class={`transition ${of}`}>
      <span aria-hidden="true">{MARKS[of]}</span> {of}
    </span>
  );
}
