import type { Position } from './record-source.ts';

export const TRANSITIONS = ['create', 'update', 'delete'] as const;

/** What a change did to its record (protocol section 2, `state_transition`). */
export type Transition = (typeof TRANSITIONS)[number];

/** One entry of a resource's change log. */
export interface Change {
  readonly position: Position;
  /** Unique and stable over all deliveries; consumers drop duplicates by it. */
  readonly eventId: string;
  /** Name of the event descriptor, or undefined where the resource declares none for this transition. */
  readonly eventType: string | undefined;
  readonly transition: Transition;
  readonly id: string;
  /** Version after the change; for a delete the version of the deletion itself. */
  readonly version: string;
  readonly occurredAtMs: number;
  /** JSON text of the record before the change; undefined for a create. */
  readonly before: string | undefined;
  /** JSON text of the record after the change; undefined for a delete. */
  readonly after: string | undefined;
}
