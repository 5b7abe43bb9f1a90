import { client, closed, server, textIn, withMembers } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

export const SURVIVAL: Readonly<Record<string, GatewayMutant>> = {
  'expired credentials go on counting': {
    fails: ['ws.auth.expiry'],
    checks: ['survives.expiry'],
    patience: 0.25,
    frames: closed(4401, undefined),
  },
  'nobody is told when to authenticate again': {
    fails: ['ws.message.authenticated'],
    checks: ['survives.expiry'],
    frames: server('authenticated', (message) => withMembers(message, { reauthenticate_at: undefined })),
  },
  'revoked credentials go on counting': {
    fails: ['auth.token.revocable'],
    checks: ['survives.revocation'],
    patience: 0.05,
    frames: closed(4401, undefined),
  },
  'a lost permission is not told': {
    fails: ['ws.auth.revoked-permission', 'err.ws.code.permission_revoked'],
    checks: ['survives.revocation'],
    patience: 0.05,
    frames: server('error', (error) => (error['code'] === 'permission_revoked' ? undefined : error)),
  },
  'draining is not told': {
    fails: ['ws.drain'],
    checks: ['survives.drain'],
    patience: 0.1,
    frames: server('go_away', () => undefined),
  },
  'nothing is served while draining': {
    fails: ['ws.drain'],
    checks: ['survives.drain'],
    frames: () => {
      let isDraining = false;
      const announce = server('go_away', (message) => ({ ...message, drain_timeout_ms: 60_000 }))();
      return {
        fromServer: (text) => {
          isDraining ||= text.includes('"go_away"');
          return isDraining && text.includes('"pong"') ? [] : (announce.fromServer?.(text) ?? [text]);
        },
      };
    },
  },
  'a drain has no reason': {
    fails: ['release.messages', 'ws.message.go_away'],
    checks: ['survives.drain'],
    frames: server('go_away', (message) => withMembers(message, { reason: undefined })),
  },
  'a drain is longer than numbers hold': {
    fails: ['release.messages', 'ws.rule.whole_number_exact'],
    checks: ['survives.drain'],
    frames: server('go_away', (message) => ({ ...message, drain_timeout_ms: 2 ** 60 })),
  },
  'a drain is shorter than the wait': {
    fails: ['release.messages', 'ws.rule.drain_covers_reconnect'],
    checks: ['survives.drain'],
    frames: server('go_away', (message) => ({ ...message, reconnect_after_ms: 301 })),
  },
  'a drain ends with 4500': {
    fails: ['ws.close.4410'],
    checks: ['survives.drain'],
    frames: closed(4410, 4500),
  },
  'ids change with each start': {
    fails: ['ws.event.identity'],
    checks: ['survives.restart'],
    frames: () => {
      const salt = crypto.randomUUID();
      return server('event', (event) => ({ ...event, event_id: `${textIn(event['event_id'])}${salt}` }))();
    },
  },
  'old cursors count for ever': {
    fails: ['ws.cursor.unavailable', 'err.ws.code.cursor_unavailable'],
    checks: ['survives.pruning'],
    patience: 0.05,
    frames: client('subscribe', (message) =>
      message['subscription_id'] === 'old' ? withMembers(message, { cursor: undefined }) : message,
    ),
  },
  'slow clients lose events': {
    fails: ['ws.at-least-once'],
    checks: ['survives.stalled-reader'],
    patience: 0.05,
    // A client that reads nothing answers no ping.
    heartbeatMs: 60_000,
    frames: server('event', (event) => (textIn(event['resource_id']).endsWith('7') ? undefined : event)),
  },
};
