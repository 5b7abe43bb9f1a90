import { granted, INTERNAL, recoded, server, withMembers } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

/** Each refusal as an internal error. */
export const OTHER_CODES: Readonly<Record<string, GatewayMutant>> = Object.fromEntries(
  (
    [
      ['resource_not_found', 'refusals', ['err.ws.code.resource_not_found']],
      ['unsupported_event_type', 'refusals', ['err.ws.code.unsupported_event_type']],
      [
        'unsupported_filter',
        'refusals',
        ['ws.filtered.only-where-offered', 'err.ws.code.unsupported_filter'],
      ],
      ['permission_denied', 'refusals', ['err.ws.code.permission_denied']],
      ['cursor_unavailable', 'refusals', ['ws.cursor.unavailable', 'err.ws.code.cursor_unavailable']],
      ['cursor_scope_mismatch', 'cursors', ['err.ws.code.cursor_scope_mismatch']],
      [
        'subscription_id_conflict',
        'idempotence',
        ['ws.subscribe.conflict', 'err.ws.code.subscription_id_conflict'],
      ],
      [
        'reauthentication_identity_mismatch',
        'reauthentication',
        ['err.ws.code.reauthentication_identity_mismatch'],
      ],
    ] as const
  ).map(([code, check, fails]) => [
    `${code} is an internal error`,
    { fails, checks: [`follows.${check}`], frames: recoded(code, INTERNAL) },
  ]),
);

/** Each refusal as a success. */
export const GRANTED: Readonly<Record<string, GatewayMutant>> = Object.fromEntries(
  (
    [
      ['resource_not_found', 'refusals', ['err.ws.code.resource_not_found']],
      ['permission_denied', 'refusals', ['err.ws.code.permission_denied', 'permission.lacking']],
      ['cursor_unavailable', 'refusals', ['ws.cursor.unavailable', 'err.ws.code.cursor_unavailable']],
      ['cursor_scope_mismatch', 'cursors', ['err.ws.code.cursor_scope_mismatch', 'ws.cursor.scope']],
      [
        'subscription_id_conflict',
        'idempotence',
        ['ws.subscribe.conflict', 'err.ws.code.subscription_id_conflict'],
      ],
    ] as const
  ).map(([code, check, fails]) => [
    `what should get ${code} is subscribed`,
    { fails, checks: [`follows.${check}`], frames: granted(code) },
  ]),
);

export const UNNAMED: Readonly<Record<string, GatewayMutant>> = {
  'errors of subscriptions do not name them': {
    fails: ['release.messages', 'err.ws.subscription-id'],
    checks: ['follows.refusals'],
    frames: server('error', (error) =>
      error['code'] === 'cursor_unavailable' ? withMembers(error, { subscription_id: undefined }) : error,
    ),
  },
};
