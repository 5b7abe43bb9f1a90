import type { JsonObject, JsonValue } from 'rostack-core';

/** A message of the target, as far as it can be read; whether it is valid is judged separately. */
export interface SeenMessage {
  /** `event` for compact events too; empty if the frame is not a message at all. */
  readonly type: string;
  /** The members as received; those of a compact event by name. */
  readonly members: Readonly<Record<string, JsonValue | undefined>>;
  readonly isCompact: boolean;
  /** Its index among all frames of its connection, from 0. */
  readonly index: number;
  /** When it arrived, in ms since 1970. */
  readonly atMs: number;
}

/** An event as far as it can be read; members that are missing or not texts are empty. */
export interface SeenEvent {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly cursor: string;
  /** Milliseconds since 1970; NaN if it is not a valid time. */
  readonly occurredAtMs: number;
  readonly eventType: string;
  readonly resourceId: string;
  readonly resourceVersion: string;
  readonly detailUrl: string | undefined;
  /** Undefined if the event carries none. */
  readonly data: JsonValue | undefined;
  readonly message: SeenMessage;
}

const COMPACT_MEMBERS = [
  'subscription_id',
  'event_id',
  'cursor',
  'occurred_at',
  'event_type',
  'resource_id',
  'resource_version',
  'detail_url',
  'data',
] as const;

/** Reads a parsed frame. */
export function readMessage(value: JsonValue | undefined, index: number, atMs: number): SeenMessage {
  if (Array.isArray(value)) {
    const members = Object.fromEntries(
      COMPACT_MEMBERS.map((name, position) => [name, value[position + 1]] as const).filter(
        ([name, member]) => member !== undefined && !(name === 'detail_url' && member === null),
      ),
    );
    return { type: 'event', members, isCompact: true, index, atMs };
  }
  const members = isMembers(value) ? value : {};
  return { type: text(members.type), members, isCompact: false, index, atMs };
}

/** Reads an event. */
export function readEvent(message: SeenMessage): SeenEvent {
  const { members } = message;
  const { occurred_at: occurredAt, detail_url: detailUrl } = members;
  return {
    subscriptionId: text(members.subscription_id),
    eventId: text(members.event_id),
    cursor: text(members.cursor),
    occurredAtMs: typeof occurredAt === 'number' ? occurredAt : Date.parse(text(occurredAt)),
    eventType: text(members.event_type),
    resourceId: text(members.resource_id),
    resourceVersion: text(members.resource_version),
    detailUrl: typeof detailUrl === 'string' ? detailUrl : undefined,
    data: members.data,
    message,
  };
}

/** A member that should be a text; empty if it is not. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const isMembers = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
