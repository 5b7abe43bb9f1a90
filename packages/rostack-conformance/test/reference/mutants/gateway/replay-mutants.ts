import type { JsonObject } from 'rostack-core';
import type { FrameHooks } from '../../mutant.ts';
import { type Frame, isObject, parse, server, textIn, withMembers } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

/** Hooks that see all that came between `subscribed` and `replay_complete`. */
const replayed = (change: (events: readonly Frame[]) => readonly Frame[]) => (): FrameHooks => {
  let held: Frame[] | undefined;
  return {
    fromServer: (text) => {
      const frame = parse(text);
      const type = isObject(frame) ? frame['type'] : 'event';
      if (type === 'subscribed' && isObject(frame) && frame['replaying'] === true) held = [];
      else if (type === 'event' && held !== undefined) {
        held.push(frame);
        return [];
      } else if (type === 'replay_complete' && held !== undefined) {
        const texts = [...change([...held, frame])].map((each) => JSON.stringify(each));
        held = undefined;
        return texts;
      }
      return [text];
    },
  };
};

export const REPLAYS: Readonly<Record<string, GatewayMutant>> = {
  'a cursor is no replay': {
    fails: ['ws.resume.replay'],
    checks: ['follows.resume'],
    frames: server('subscribed', (message) => ({ ...message, replaying: false })),
  },
  'without a cursor there is a replay': {
    fails: ['ws.resume.without-cursor'],
    checks: ['follows.changes'],
    frames: server('subscribed', (message) => ({ ...message, replaying: true })),
  },
  'subscribed has no encoding': {
    fails: ['release.messages', 'ws.message.subscribed'],
    checks: ['follows.cursors'],
    frames: server('subscribed', (message) => withMembers(message, { event_encoding: undefined })),
  },
  'replay_complete names no subscription': {
    fails: ['release.messages', 'ws.message.replay_complete'],
    checks: ['follows.cursors'],
    frames: server('replay_complete', ({ type }) => ({ type: type ?? '' })),
  },
  'nothing is replayed': {
    fails: ['ws.resume.same', 'ws.cursor.resource-wide'],
    checks: ['follows.resume'],
    frames: replayed((frames) => frames.slice(-1)),
  },
  'replays run backwards': {
    fails: ['ws.resume.replay'],
    checks: ['follows.resume'],
    frames: replayed((frames) => [...frames.slice(0, -1).toReversed(), ...frames.slice(-1)]),
  },
  'replays say something else': {
    fails: ['ws.resume.same'],
    checks: ['follows.resume'],
    frames: replayed((frames) =>
      frames.map((frame) =>
        isObject(frame) && frame['type'] === 'event' ? { ...frame, resource_version: 'old' } : frame,
      ),
    ),
  },
  'replays end early': {
    fails: ['ws.resume.replay'],
    checks: ['follows.overtaking'],
    frames: replayed((frames) => [...frames.slice(-1), ...frames.slice(0, -1)]),
  },
  'live events overtake the replay': {
    fails: ['ws.resume.no-overtake', 'ws.resume.replay'],
    checks: ['follows.overtaking'],
    frames: replayed((frames) => [...frames.slice(1), ...frames.slice(0, 1)]),
  },
  'cursors are inclusive': {
    fails: ['ws.cursor.exclusive'],
    checks: ['follows.resume'],
    frames: inclusive(),
  },
  'cursors are those of a filter': {
    fails: ['ws.cursor.resource-wide'],
    checks: ['follows.resume'],
    frames: server('event', (event) => (event['subscription_id'] === 'wide' ? undefined : event)),
  },
  'every seventh event is lost': {
    fails: ['json.page.no-gap', 'ws.at-least-once'],
    checks: ['follows.seam'],
    patience: 0.1,
    frames: seventh(),
  },
  'events are lost with connections': {
    fails: ['ws.at-least-once'],
    checks: ['follows.losses'],
    frames: server('event', (event) =>
      event['subscription_id'] === 'lossy' && /[0-9a-h]$/.test(textIn(event['resource_id']))
        ? undefined
        : event,
    ),
  },
};

function seventh() {
  return (): FrameHooks => {
    let count = 0;
    return server('event', (event) => {
      count += 1;
      return count % 7 === 0 ? undefined : event;
    })();
  };
}

/** Sends the event of a cursor again to who resumes from it. */
function inclusive() {
  const known = new Map<unknown, JsonObject>();
  return (): FrameHooks => {
    const from = new Map<unknown, JsonObject>();
    return {
      fromClient: (text) => {
        const message = parse(text);
        const event = isObject(message) ? known.get(message['cursor']) : undefined;
        if (event !== undefined && isObject(message)) from.set(message['subscription_id'], event);
        return [text];
      },
      fromServer: (text) => {
        const message = parse(text);
        if (!isObject(message)) return [text];
        if (message['type'] === 'event') known.set(message['cursor'], message);
        const { subscription_id: id } = message;
        const again = message['type'] === 'subscribed' ? from.get(id) : undefined;
        if (again === undefined) return [text];
        from.delete(id);
        return [text, JSON.stringify({ ...again, subscription_id: id ?? '' })];
      },
    };
  };
}
