import type { JsonObject, Predicate, Transition } from 'rostack-core';
import { type Place, placeOf, predicateOf } from '../../follows/history.ts';
import { EVENT_NAMES } from '../../follows/post.ts';
import type { ModelResource } from '../store/model-store.ts';
import { checkNext } from './stream-check.ts';

interface Subscribed {
  readonly resource: ModelResource;
  readonly matches: Predicate;
  /** Undefined until the first event of a subscription without a cursor. */
  readonly place: Place | undefined;
}

interface Message {
  readonly type: string;
  readonly subscription_id?: string;
  readonly resource?: string;
  readonly filter?: JsonObject;
  readonly cursor?: string;
  readonly event_type?: string;
  readonly resource_id?: string;
}

const TRANSITIONS = new Map<string, Transition>(
  Object.entries(EVENT_NAMES).map(([transition, name]) => [name, transition as Transition]),
);

/** How many requests for one id may be unanswered. */
const MAX_ASKED = 4;

/**
 * Reads along on one connection: every event that a gateway sends is the next one of its subscription. Where an id is asked for
 * again before the answer, an answer may be to either request: then the first event has to be the next one of one of them.
 */
export class WireOracle {
  readonly #resources: ReadonlyMap<string, ModelResource>;
  readonly #onWrong: (what: string) => void;
  readonly #asked = new Map<string, readonly Subscribed[]>();
  readonly #active = new Map<string, readonly Subscribed[]>();

  constructor(resources: ReadonlyMap<string, ModelResource>, onWrong: (what: string) => void) {
    this.#resources = resources;
    this.#onWrong = onWrong;
  }

  sent(text: string): void {
    const message = JSON.parse(text) as Message;
    const { type, subscription_id: id = '', filter, cursor, resource: name = '' } = message;
    const resource = this.#resources.get(name);
    if (type !== 'subscribe' || resource === undefined) return;
    const matches = predicateOf(filter);
    const place = cursor === undefined ? undefined : placeOf(cursor);
    this.#asked.set(id, [{ resource, matches, place }, ...(this.#asked.get(id) ?? [])].slice(0, MAX_ASKED));
  }

  received(text: string): void {
    const message = JSON.parse(text) as Message | readonly string[];
    if (isCompact(message)) {
      const [, id = '', , cursor = '', , eventType = '', resourceId = ''] = message;
      this.#event(id, cursor, eventType, resourceId);
      return;
    }
    const {
      subscription_id: id = '',
      cursor = '',
      event_type: type = '',
      resource_id: resourceId = '',
    } = message;
    if (message.type === 'event') this.#event(id, cursor, type, resourceId);
    else if (message.type === 'subscribed') this.#active.set(id, this.#asked.get(id) ?? []);
  }

  #event(id: string, cursor: string, eventType: string, resourceId: string): void {
    const place = placeOf(cursor);
    const transition = TRANSITIONS.get(eventType) ?? 'update';
    let wrong = `an event of ${id} came before it was subscribed`;
    for (const { resource, matches, place: before } of this.#active.get(id) ?? []) {
      const row =
        before === undefined
          ? undefined
          : checkNext(resource, matches, before, { place, id: resourceId, transition });
      if (typeof row === 'string') {
        wrong = row;
      } else {
        this.#active.set(id, [{ resource, matches, place }]);
        return;
      }
    }
    this.#onWrong(`on the wire: ${wrong}`);
  }
}

function isCompact(message: Message | readonly string[]): message is readonly string[] {
  return Array.isArray(message);
}
