import { createEventEncoder, type EventDescriptor, type EventEncoding } from 'rostack-core';
import type { HistoryTexts } from '../../../guard/history-texts.ts';
import type { GatewayAlarm } from '../../../options/gateway-hooks.ts';
import { BufferPool } from '../../delivery/buffer-pool.ts';
import { encodeFrameHalf, type FrameHalf, SharedPayload } from '../../delivery/text-frame.ts';
import type { EventData, LoggedChange } from '../log/logged-change.ts';
import { type EventDataRules, makeEventData } from './event-data.ts';

export interface EventFramesOptions {
  readonly resource: string;
  readonly history: HistoryTexts;
  readonly data: EventDataRules;
  readonly onAlarm: (alarm: GatewayAlarm) => void;
}

/** Writes the halves of a resource's event messages, as bytes. */
export class EventFrames {
  readonly #options: EventFramesOptions;
  /** Shared halves live as long as changes in the ring, own ones as long as subscriptions. */
  readonly #sharedBytes = new BufferPool();
  readonly #ownBytes = new BufferPool();

  constructor(options: EventFramesOptions) {
    this.#options = options;
  }

  /** The half that is the same in all messages of a subscription. */
  own(encoding: EventEncoding, subscriptionId: string, scopeTag: string): FrameHalf {
    const pieces = createEventEncoder(encoding).subscriptionPieces(subscriptionId, scopeTag);
    return encodeFrameHalf(pieces, this.#ownBytes);
  }

  /**
   * The half that all subscribers of an event share: written once for each event and encoding. Data that breaks its schema is left out and
   * raises one alarm; the event itself is still sent.
   */
  shared(
    logged: LoggedChange,
    descriptor: EventDescriptor,
    encoding: EventEncoding,
    epoch: string,
  ): SharedPayload {
    return logged.frame(`${encoding} ${descriptor.name}`, () => {
      const { change } = logged;
      const { history } = this.#options;
      const data = logged.data(descriptor.name, () => this.#makeData(logged, descriptor));
      const pieces = createEventEncoder(encoding).eventPieces({
        epoch,
        position: change.position,
        tag: change.tag,
        positionTexts: history.positions,
        eventId: history.eventId(change.eventId),
        occurredAtMs: change.occurredAtMs,
        eventType: descriptor.name,
        resourceId: change.id,
        resourceVersion: history.version(change.version),
        dataText: data.kind === 'data' ? data.text : undefined,
      });
      return new SharedPayload(pieces, this.#sharedBytes);
    });
  }

  #makeData(logged: LoggedChange, descriptor: EventDescriptor): EventData {
    const { resource, data: rules, onAlarm } = this.#options;
    const data = makeEventData(rules, descriptor, logged);
    if (data.kind === 'faulty') {
      onAlarm({
        kind: 'event_quarantined',
        resource,
        eventType: descriptor.name,
        resourceId: logged.change.id,
        position: logged.position,
        faults: data.faults,
      });
    }
    return data;
  }
}
