import type { JsonObject } from 'rostack-core';
import type { FrameHooks } from '../../mutant.ts';
import {
  client,
  compact,
  type Frame,
  granted,
  isObject,
  parse,
  server,
  textIn,
  withMembers,
} from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

/** Events of one transition of the reference's plants. */
const eventsLike = (type: string, change: (event: JsonObject) => Frame | undefined) =>
  server('event', (event) => (event['event_type'] === type ? change(event) : event));

export const CHANGES: Readonly<Record<string, GatewayMutant>> = {
  'who may read may follow': {
    fails: ['permission.read-gives-no-subscribe'],
    checks: ['follows.permissions'],
    frames: granted('permission_denied'),
  },
  'no updates are told': {
    fails: ['ws.at-least-once', 'ws.event.identity'],
    checks: ['follows.changes'],
    patience: 0.1,
    frames: eventsLike('plant.changed', () => undefined),
  },
  'data breaks its schema': {
    fails: ['ws.compact.same', 'ws.event.data'],
    checks: ['follows.changes'],
    frames: eventsLike('plant.added', (event) => ({ ...event, data: { id: 7 } })),
  },
  'deleted records are told as they were at first': {
    fails: ['ws.compact.same', 'ws.event.tombstone'],
    checks: ['follows.changes'],
    frames: () => {
      const first = new Map<unknown, JsonObject[string]>();
      return eventsLikeData(first);
    },
  },
  'each connection has ids of its own': {
    fails: ['ws.event.identity'],
    checks: ['follows.changes'],
    frames: () => {
      const salt = crypto.randomUUID();
      return {
        fromServer: (text) => {
          const event = parse(text);
          if (!isObject(event)) return [JSON.stringify(event.with(2, `${textIn(event[2])}${salt}`))];
          if (event['type'] !== 'event') return [text];
          return [JSON.stringify({ ...event, event_id: `${textIn(event['event_id'])}${salt}` })];
        },
      };
    },
  },
  'versions of events are others than those of items': {
    fails: ['version.resource'],
    checks: ['follows.changes'],
    frames: () => ({
      fromServer: (text) => {
        const event = parse(text);
        if (!isObject(event)) return [JSON.stringify(event.with(7, `${textIn(event[7])}x`))];
        if (event['type'] !== 'event') return [text];
        return [JSON.stringify({ ...event, resource_version: `${textIn(event['resource_version'])}x` })];
      },
    }),
  },
  'event_types are passed over': {
    fails: ['ws.subscribe.event-types'],
    checks: ['follows.changes'],
    frames: client('subscribe', (message) => withMembers(message, { event_types: undefined })),
  },
  'unsubscribe is passed over': {
    fails: ['ws.message.unsubscribe'],
    checks: ['follows.changes'],
    frames: client('unsubscribe', () => undefined),
  },
  'compact events come as objects': {
    fails: ['ws.compact.events-only'],
    checks: ['follows.changes'],
    frames: compact(([, subscription, id, cursor, atMs, type, resource, version, , data]) => ({
      type: 'event',
      subscription_id: subscription ?? '',
      event_id: id ?? '',
      cursor: cursor ?? '',
      occurred_at: new Date(Number(atMs)).toISOString(),
      event_type: type ?? '',
      resource_id: resource ?? '',
      resource_version: version ?? '',
      data: data ?? null,
    })),
  },
  'compact events have another time': {
    fails: ['ws.compact.same'],
    checks: ['follows.changes'],
    frames: compact((event) => event.with(4, Number(event[4]) + 1)),
  },
  'compact events have no null before their data': {
    fails: ['release.messages', 'ws.compact.data-after-url', 'ws.compact.same'],
    checks: ['follows.changes'],
    frames: compact((event) => event.toSpliced(8, 1)),
  },
  'compact events are too short': {
    fails: ['release.messages', 'ws.compact.shape', 'ws.event.identity'],
    checks: ['follows.changes'],
    frames: compact((event) => event.slice(0, 7)),
  },
  'events have no cursor': {
    fails: ['release.messages', 'ws.message.event'],
    checks: ['follows.changes'],
    frames: server('event', (event) => withMembers(event, { cursor: undefined })),
  },
  'times have a leap second': {
    fails: ['release.messages', 'ws.compact.same', 'ws.event.identity', 'ws.rule.date_time_valid'],
    checks: ['follows.changes'],
    frames: eventsLike('plant.changed', (event) => ({ ...event, occurred_at: '2016-12-31T23:59:60Z' })),
  },
  'URLs of events have a user': {
    fails: ['release.messages', 'ws.rule.url_usable', 'ws.compact.same'],
    checks: ['follows.changes'],
    frames: eventsLike('plant.added', (event) => ({ ...event, detail_url: 'https://me:secret@localhost/' })),
  },
};

/** Tells deletions with the data of the creation. */
function eventsLikeData(first: Map<unknown, JsonObject[string]>): FrameHooks {
  return server('event', (event) => {
    const { resource_id: id, event_type: type, data } = event;
    if (type === 'plant.added' && data !== undefined) first.set(id, data);
    return type === 'plant.removed' ? withMembers(event, { data: first.get(id) }) : event;
  })();
}
