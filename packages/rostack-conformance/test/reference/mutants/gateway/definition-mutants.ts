import type { JsonObject } from 'rostack-core';
import type { FrameHooks } from '../../mutant.ts';
import { failure, isObject, parse, server, textIn } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

/** Refuses a definition again when it is written in another way. */
const strict = (member: string, id: string) => (): FrameHooks => {
  let isKnown = false;
  return {
    reply: (text) => {
      const message = parse(text);
      return isObject(message) && isRefused(message)
        ? [JSON.stringify(failure('subscription_id_conflict', id))]
        : [];
    },
    fromClient: (text) => {
      const message = parse(text);
      if (!isObject(message) || message['subscription_id'] !== id) return [text];
      if (isRefused(message)) return [];
      isKnown = true;
      return [text];
    },
  };
  function isRefused(message: JsonObject): boolean {
    return (
      isKnown && message['subscription_id'] === id && message[member] !== undefined && !('cursor' in message)
    );
  }
};

export const DEFINITIONS: Readonly<Record<string, GatewayMutant>> = {
  'an encoding that is written out is another definition': {
    fails: ['ws.subscribe.normalised.encoding'],
    checks: ['follows.idempotence'],
    frames: strict('event_encoding', 'plain'),
  },
  'event types that are written out are another definition': {
    fails: ['ws.subscribe.normalised.event-types'],
    checks: ['follows.idempotence'],
    frames: strict('event_types', 'plain'),
  },
  'a filter in another order is another definition': {
    fails: ['ws.subscribe.normalised.filter'],
    checks: ['follows.idempotence'],
    frames: strict('filter', 'filtered'),
  },
  'the same definition again is a conflict': {
    fails: [
      'ws.subscribe.conflict',
      'ws.subscribe.idempotent',
      'ws.subscribe.normalised.encoding',
      'ws.subscribe.normalised.event-types',
      'ws.subscribe.normalised.filter',
    ],
    checks: ['follows.idempotence'],
    frames: () => {
      const seen = new Set<string>();
      return {
        fromServer: (text) => {
          const message = parse(text);
          if (!isObject(message) || message['type'] !== 'subscribed') return [text];
          const id = textIn(message['subscription_id']);
          const isNew = !seen.has(id);
          seen.add(id);
          return [isNew ? text : JSON.stringify(failure('subscription_id_conflict', id))];
        },
      };
    },
  },
  'the same definition again replays again': {
    fails: ['ws.subscribe.idempotent'],
    checks: ['follows.cursors'],
    frames: server('subscribed', (message) =>
      message['replaying'] === false
        ? [message, { type: 'replay_complete', subscription_id: message['subscription_id'] ?? '' }]
        : message,
    ),
  },
};
