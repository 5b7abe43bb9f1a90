import {
  createEventEncoder,
  type EventDescriptor,
  type EventEncoding,
  type JsonValue,
  type Resource,
} from 'rostack-core';
import { encodeFrameHalf, type FrameHalf } from '../delivery/frame-half.ts';
import type { GatewayAlarm } from '../gateway-observer.ts';
import type { EventValidator } from './event-validator.ts';
import type { LoggedChange } from './logged-change.ts';

/** Writes the part of an event that all its subscribers share: once per event, transition and encoding. */
export class EventFrames {
  readonly #resource: Resource;
  readonly #validate: EventValidator | undefined;
  readonly #onAlarm: (alarm: GatewayAlarm) => void;

  constructor(
    resource: Resource,
    validate: EventValidator | undefined,
    onAlarm: (alarm: GatewayAlarm) => void,
  ) {
    this.#resource = resource;
    this.#validate = validate;
    this.#onAlarm = onAlarm;
  }

  shared(
    logged: LoggedChange,
    descriptor: EventDescriptor,
    encoding: EventEncoding,
    epoch: string,
  ): FrameHalf {
    return logged.frame(`${encoding} ${descriptor.name}`, () => {
      const { change } = logged;
      const pieces = createEventEncoder(encoding).eventPieces({
        epoch,
        position: change.position,
        eventId: change.eventId,
        occurredAtMs: change.occurredAtMs,
        eventType: descriptor.name,
        resourceId: change.id,
        resourceVersion: change.version,
        dataText: this.#dataOf(logged, descriptor),
      });
      return encodeFrameHalf(pieces);
    });
  }

  /** The data as JSON text: the state after, or before a delete if that leaves a tombstone. */
  #dataOf(logged: LoggedChange, descriptor: EventDescriptor): string | undefined {
    const { state_transition: transition, tombstone = false } = descriptor;
    const { before, after } = logged.change;
    if (transition !== 'delete') return this.#checked(logged, descriptor, after, () => logged.after);
    return tombstone ? this.#checked(logged, descriptor, before, () => logged.before) : undefined;
  }

  /** Data that breaks its schema stays back and raises one alarm: the event itself is still sent. */
  #checked(
    logged: LoggedChange,
    descriptor: EventDescriptor,
    text: string | undefined,
    parsed: () => JsonValue | undefined,
  ): string | undefined {
    if (text === undefined || this.#validate === undefined) return text;
    const faults = logged.faults(descriptor.name, () => this.#faultsOf(logged, descriptor, parsed()));
    return faults.length === 0 ? text : undefined;
  }

  #faultsOf(
    logged: LoggedChange,
    descriptor: EventDescriptor,
    data: JsonValue | undefined,
  ): readonly string[] {
    if (data === undefined || this.#validate === undefined) return [];
    const faults = this.#validate(descriptor, data);
    if (faults.length > 0) {
      this.#onAlarm({
        kind: 'event_quarantined',
        resource: this.#resource.name,
        eventType: descriptor.name,
        resourceId: logged.change.id,
        position: logged.position,
        faults,
      });
    }
    return faults;
  }
}
