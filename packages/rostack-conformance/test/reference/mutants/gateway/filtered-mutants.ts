import type { JsonObject } from 'rostack-core';
import { client, type Frame, server, withMembers } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

/** Changes the nth event of a record on a subscription. */
const nth = (subscription: string, place: number, change: (event: JsonObject) => Frame | undefined) => () => {
  const counts = new Map<unknown, number>();
  return server('event', (event) => {
    if (event['subscription_id'] !== subscription) return event;
    const count = (counts.get(event['resource_id']) ?? 0) + 1;
    counts.set(event['resource_id'], count);
    return count === place ? change(event) : event;
  })();
};

export const FILTERED: Readonly<Record<string, GatewayMutant>> = {
  'leaving is an update': {
    fails: ['ws.filtered.leave'],
    checks: ['follows.filtered'],
    frames: nth('first', 2, (event) => ({ ...event, event_type: 'plant.changed' })),
  },
  'leaving is told with the state after': {
    fails: ['ws.filtered.leave'],
    checks: ['follows.filtered'],
    frames: nth('first', 2, (event) => ({ ...event, data: { id: 'another' } })),
  },
  'entering is an update': {
    fails: ['ws.filtered.enter'],
    checks: ['follows.filtered'],
    frames: nth('first', 3, (event) => ({ ...event, event_type: 'plant.changed' })),
  },
  'going on matching is not told': {
    fails: ['ws.filtered.stay'],
    checks: ['follows.filtered'],
    frames: nth('both', 2, (event) => (event['event_type'] === 'plant.changed' ? undefined : event)),
    patience: 0.1,
  },
  'filters are passed over': {
    fails: ['ws.filtered.leave', 'ws.filtered.outside'],
    checks: ['follows.filtered'],
    frames: client('subscribe', (message) =>
      message['subscription_id'] === 'first' ? withMembers(message, { filter: undefined }) : message,
    ),
  },
  'a missing state matches a negation': {
    fails: ['ws.filtered.missing'],
    checks: ['follows.filtered'],
    frames: nth('not-first', 1, (event) => ({ ...event, event_type: 'plant.changed' })),
  },
};
