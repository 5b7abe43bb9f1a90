import type { Transition } from 'rostack-core';

/** A sign for what an event does to a record, beside the word. */
export const TRANSITION_SIGNS: Readonly<Record<Transition, string>> = {
  create: '+',
  update: '~',
  delete: '−',
};
