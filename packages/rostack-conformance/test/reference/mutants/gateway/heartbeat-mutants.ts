import { client, closed, isObject, parse, server, textIn, withMembers } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

export const HEARTBEATS: Readonly<Record<string, GatewayMutant>> = {
  'pongs have another id': {
    fails: ['ws.heartbeat.pong'],
    checks: ['follows.heartbeat'],
    patience: 0.4,
    frames: server('pong', (message) => ({ ...message, id: 'other' })),
  },
  'pongs have no id': {
    fails: ['release.messages', 'ws.heartbeat.pong', 'ws.message.pong'],
    checks: ['follows.heartbeat'],
    patience: 0.4,
    frames: server('pong', (message) => withMembers(message, { id: undefined })),
  },
  'pings have no id': {
    fails: ['release.messages', 'ws.heartbeat.ping', 'ws.message.ping'],
    checks: ['follows.heartbeat'],
    frames: server('ping', (message) => withMembers(message, { id: undefined })),
  },
  'no pings are sent': {
    fails: ['ws.heartbeat.ping'],
    checks: ['follows.heartbeat'],
    frames: server('ping', () => undefined),
  },
  'any pong will do': {
    fails: ['ws.heartbeat.matching', 'ws.heartbeat.stale'],
    checks: ['follows.heartbeat'],
    patience: 0.6,
    frames: client('pong', (message) => ({ ...message, id: textIn(message['id']).replace('not-', '') })),
  },
  'a stale connection is left open': {
    fails: ['ws.heartbeat.matching', 'ws.heartbeat.stale'],
    checks: ['follows.heartbeat'],
    patience: 0.6,
    frames: closed(4408, undefined),
  },
  'pings have one id': {
    fails: ['ws.heartbeat.ping'],
    checks: ['follows.heartbeat'],
    frames: () => {
      let id = '';
      return {
        fromServer: (text) => {
          const message = parse(text);
          if (!isObject(message) || message['type'] !== 'ping') return [text];
          id = textIn(message['id']);
          return [JSON.stringify({ type: 'ping', id: 'ping' })];
        },
        fromClient: (text) => [
          text === JSON.stringify({ type: 'pong', id: 'ping' }) ? JSON.stringify({ type: 'pong', id }) : text,
        ],
      };
    },
  },
};
