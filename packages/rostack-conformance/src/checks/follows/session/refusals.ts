import { FILTER_OPERATOR_NAMES, type Resource } from 'rostack-core';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { type GatewayTrial, saidInstead } from '../trial/gateway-trial.ts';

const UNKNOWN = 'no-such-thing';

interface Refusal {
  readonly id: string;
  readonly what: string;
  readonly code: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Subscriptions that the discovery document does not allow. */
function refusals(resource: Resource, encodings: readonly string[]): readonly Refusal[] {
  const { name } = resource;
  const unsupportedFilter = { id: 'ws.filtered.only-where-offered', code: 'unsupported_filter' };
  return [
    {
      id: 'err.ws.code.resource_not_found',
      what: 'an unknown resource',
      code: 'resource_not_found',
      members: { resource: UNKNOWN },
    },
    {
      id: 'err.ws.code.unsupported_event_type',
      what: 'an event type that is not advertised',
      code: 'unsupported_event_type',
      members: { resource: name, event_types: [UNKNOWN] },
    },
    {
      ...unsupportedFilter,
      what: 'a filter by a field that is not advertised',
      members: { resource: name, filter: { [`/${UNKNOWN}`]: { eq: 1 } } },
    },
    ...operatorsBeyond(resource).map(({ pointer, operator }) => ({
      ...unsupportedFilter,
      what: `${operator} on ${pointer}, which is not advertised for it`,
      members: { resource: name, filter: { [pointer]: { [operator]: OPERANDS[operator] ?? 1 } } },
    })),
    ...(encodings.includes('compact-json')
      ? []
      : [
          {
            id: 'ws.subscribe.encoding',
            what: 'an encoding that is not advertised',
            code: 'unsupported_encoding',
            members: { resource: name, event_encoding: 'compact-json' },
          },
        ]),
    {
      id: 'ws.cursor.unavailable',
      what: 'a cursor that nobody made',
      code: 'cursor_unavailable',
      members: { resource: name, cursor: UNKNOWN },
    },
  ];
}

const OPERANDS: Readonly<Record<string, unknown>> = {
  in: [1],
  nin: [1],
  starts_with: 'a',
  ends_with: 'a',
  exists: true,
};

/** An operator that the resource does not advertise for one of its fields, if there is one. */
function operatorsBeyond({ filtering, event_filtering: isFiltered }: Resource) {
  if (isFiltered !== true) return [];
  return Object.entries(filtering.filterable_fields).flatMap(([pointer, offered]) => {
    const operator = FILTER_OPERATOR_NAMES.find((name) => !offered.includes(name));
    return operator === undefined ? [] : [{ pointer, operator }];
  });
}

/** The errors that subscriptions get. */
export const refusedSubscriptions = gatewayCheck({
  name: 'follows.refusals',
  requirements: [
    'err.ws.code.resource_not_found',
    'err.ws.code.unsupported_event_type',
    'ws.filtered.only-where-offered',
    'err.ws.code.unsupported_filter',
    'ws.subscribe.encoding',
    'err.ws.code.unsupported_encoding',
    'ws.cursor.unavailable',
    'err.ws.code.cursor_unavailable',
    'permission.lacking',
    'permission.subscribe-empty',
    'err.ws.code.permission_denied',
  ],
  async run(trial) {
    const { discovery, tokens, findings } = trial.context;
    const encodings = discovery.capabilities.websocket.event_encodings;
    const probe = await trial.session();
    for (const [index, refusal] of refusals(trial.resource, encodings).entries()) {
      await judgeRefusal(trial, probe, refusal, `refused-${index}`);
    }
    for (const resource of trial.followed) {
      if (resource.event_filtering === true) continue;
      const filter = { '/id': { eq: 'a' } };
      const what = 'a filter where event_filtering is not claimed';
      const members = { resource: resource.name, filter };
      const rule = { id: 'ws.filtered.only-where-offered', what, code: 'unsupported_filter', members };
      await judgeRefusal(trial, probe, rule, `unfiltered-${resource.name}`);
    }
    if (encodings.some((encoding) => encoding === 'compact-json')) await judgeUnknownEncoding(trial);
    if (tokens.poor === undefined) {
      for (const id of ['err.ws.code.permission_denied', 'permission.subscribe-empty']) {
        findings.skip(id, 'no token without permissions');
      }
    } else await judgePermission(trial, tokens.poor);
  },
});

async function judgeRefusal(
  trial: GatewayTrial,
  probe: Awaited<ReturnType<GatewayTrial['session']>>,
  { id, what, code, members }: Refusal,
  subscriptionId: string,
): Promise<void> {
  const answer = await trial.subscribe(probe, {
    resource: trial.resource.name,
    ...members,
    subscription_id: subscriptionId,
  });
  const isRight = answer?.members.code === code;
  for (const each of new Set([id, `err.ws.code.${code}`])) {
    trial.judge(each, isRight, `${what} is refused with ${code}.`, saidInstead(answer, probe), probe);
  }
}

/** A text that names no encoding may count as an invalid message too, so both refusals are right. */
async function judgeUnknownEncoding(trial: GatewayTrial): Promise<void> {
  const probe = await trial.session();
  const members = { subscription_id: 'encoding', resource: trial.resource.name, event_encoding: UNKNOWN };
  const answer = await trial.subscribe(probe, members);
  const { code } = answer?.members ?? {};
  const isRight =
    code === 'unsupported_encoding' || code === 'invalid_message' || probe.closed?.code === 4400;
  const expected = 'An encoding that nobody knows is refused with unsupported_encoding, or invalid_message.';
  trial.judge('ws.subscribe.encoding', isRight, expected, saidInstead(answer, probe), probe);
  if (code === 'unsupported_encoding') trial.keep('err.ws.code.unsupported_encoding');
}

/** A token that lacks a permission of the resource, and one whose lists are empty. */
async function judgePermission(trial: GatewayTrial, poor: string): Promise<void> {
  const closed = trial.followed.filter(({ subscribe_permissions: wanted }) => wanted.length > 0);
  const probe = await trial.connect();
  const answer = await trial.authenticate(probe, poor);
  if (answer?.type !== 'authenticated') {
    const reason = 'the token without permissions is not accepted';
    for (const id of ['permission.lacking', 'err.ws.code.permission_denied'])
      trial.context.findings.skip(id, reason);
    return;
  }
  const open = trial.followed.filter(({ subscribe_permissions: wanted }) => wanted.length === 0);
  if (open.length === 0) {
    trial.context.findings.skip('permission.subscribe-empty', 'not claimed: all need a permission');
  }
  for (const { name } of open) {
    const said = await trial.subscribe(probe, { subscription_id: `open-${name}`, resource: name });
    const expected = `Every authenticated principal may subscribe to ${name}, which needs no permission.`;
    const isOpen = said?.type === 'subscribed';
    trial.judge('permission.subscribe-empty', isOpen, expected, saidInstead(said, probe), probe);
  }
  for (const { name } of closed) {
    const said = await trial.subscribe(probe, { subscription_id: `poor-${name}`, resource: name });
    const isDenied = said?.members.code === 'permission_denied';
    const expected = `Without its permissions, a subscription to ${name} is refused with permission_denied.`;
    trial.judge('permission.lacking', said?.type !== 'subscribed', expected, saidInstead(said, probe), probe);
    trial.judge('err.ws.code.permission_denied', isDenied, expected, saidInstead(said, probe), probe);
  }
}
