import type { EventPosition } from '../../record/change.ts';
import { type PositionTexts, sharedCursorText } from '../cursor/event-cursor.ts';
import { formatInstant } from './instant.ts';
import type { EventEncoding } from './shared-models.ts';

/** An event as all its subscribers see it. */
export interface SharedEvent extends EventPosition {
  /** How its cursors write the position. @default in decimal */
  readonly positionTexts?: PositionTexts | undefined;
  /** Unique and stable over all deliveries; consumers drop duplicates by it. */
  readonly eventId: string;
  /** From 1970 to the end of 9999. */
  readonly occurredAtMs: number;
  /** Name of an event descriptor of the resource. */
  readonly eventType: string;
  /** Text of the record's id, see `recordIdText`. */
  readonly resourceId: string;
  /** Opaque name of the record's revision, which is also the item's ETag. */
  readonly resourceVersion: string;
  /** https; without it, clients expand the item URL template. */
  readonly detailUrl?: string | undefined;
  /** JSON text, inserted unchanged. */
  readonly dataText?: string | undefined;
}

/**
 * Two pieces of text. A frame alternates those of the subscription and of the event: `subscription[0] + event[0] +
 * subscription[1] + event[1]`. A piece that is empty is empty for every event or subscription of the encoding.
 */
export type FramePieces = readonly [first: string, second: string];

/** Writes events in two halves, so that what all subscribers share is written once (protocol section 7). */
export interface EventEncoder {
  /** The half that is constant for a subscription. @param scopeTag of its cursors, see `eventScopeTag` */
  subscriptionPieces(subscriptionId: string, scopeTag: string): FramePieces;
  /** The half that all subscribers of an event share. */
  eventPieces(event: SharedEvent): FramePieces;
}

const json: EventEncoder = {
  subscriptionPieces: (subscriptionId, scopeTag) => [
    `{"type":"event","subscription_id":${JSON.stringify(subscriptionId)},"cursor":"1.${scopeTag}.`,
    '',
  ],
  eventPieces: (event) => {
    const detailUrl = event.detailUrl === undefined ? '' : `,"detail_url":${JSON.stringify(event.detailUrl)}`;
    const data = event.dataText === undefined ? '' : `,"data":${event.dataText}`;
    return [
      '',
      `${sharedCursorText(event, event.positionTexts)}","event_id":${JSON.stringify(event.eventId)},"occurred_at":"${formatInstant(event.occurredAtMs)}","event_type":${JSON.stringify(event.eventType)},"resource_id":${JSON.stringify(event.resourceId)},"resource_version":${JSON.stringify(event.resourceVersion)}${detailUrl}${data}}`,
    ];
  },
};

/** The event id comes before the cursor, so the cursor's scope tag lies between two shared pieces. */
const compactJson: EventEncoder = {
  subscriptionPieces: (subscriptionId, scopeTag) => [
    `["e",${JSON.stringify(subscriptionId)},`,
    `${scopeTag}.`,
  ],
  eventPieces: (event) => {
    const needsUrl = event.detailUrl !== undefined || event.dataText !== undefined;
    const detailUrl = needsUrl ? `,${JSON.stringify(event.detailUrl ?? null)}` : '';
    const data = event.dataText === undefined ? '' : `,${event.dataText}`;
    return [
      `${JSON.stringify(event.eventId)},"1.`,
      `${sharedCursorText(event, event.positionTexts)}",${event.occurredAtMs},${JSON.stringify(event.eventType)},${JSON.stringify(event.resourceId)},${JSON.stringify(event.resourceVersion)}${detailUrl}${data}]`,
    ];
  },
};

const ENCODERS: Readonly<Record<EventEncoding, EventEncoder>> = { json, 'compact-json': compactJson };

/** The encoder of an event encoding. */
export function createEventEncoder(encoding: EventEncoding): EventEncoder {
  return ENCODERS[encoding];
}

/** Puts the two halves of a frame together. */
export function joinFrame(subscription: FramePieces, event: FramePieces): string {
  return `${subscription[0]}${event[0]}${subscription[1]}${event[1]}`;
}
