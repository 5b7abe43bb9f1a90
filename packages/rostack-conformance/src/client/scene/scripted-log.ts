import type { JsonObject } from 'rostack-core';

/** One change of the scripted resource. */
export interface ScriptedEvent {
  /** Counts the changes from 1; a cursor refers to one of these. */
  readonly position: number;
  readonly eventId: string;
  readonly resourceId: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** A position and the definition for which its cursor was handed out. */
export interface ScriptedPlace {
  readonly position: number;
  readonly scope: string;
}

/** The records of the scripted resource, every change since the start, and the cursors for them. */
export class ScriptedLog {
  readonly records = new Map<string, JsonObject>();
  readonly events: ScriptedEvent[] = [];
  readonly #cursors = new Map<string, ScriptedPlace>();

  /** The position after the newest change. */
  get head(): number {
    return this.events.length;
  }

  /** Writes a record. */
  put(record: JsonObject & { readonly id: string }): ScriptedEvent {
    const event = this.#add(record.id, record);
    this.records.set(record.id, record);
    return event;
  }

  /** Deletes a record. */
  remove(id: string): ScriptedEvent {
    const event = this.#add(id, undefined);
    this.records.delete(id);
    return event;
  }

  /** A cursor for a position; the same text for the same place. */
  cursorAt(position: number, scope: string): string {
    const cursor = Buffer.from(`${position} ${scope}`).toString('base64url');
    this.#cursors.set(cursor, { position, scope });
    return cursor;
  }

  /** The place that a cursor refers to; undefined if the cursor was never handed out. */
  placeOf(cursor: string): ScriptedPlace | undefined {
    return this.#cursors.get(cursor);
  }

  #add(resourceId: string, after: JsonObject | undefined): ScriptedEvent {
    const position = this.head + 1;
    const before = this.records.get(resourceId);
    const event = { position, eventId: `event-${position}`, resourceId, before, after };
    this.events.push(event);
    return event;
  }
}
