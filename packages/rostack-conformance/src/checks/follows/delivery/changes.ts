import { formatEtag, type JsonObject, jsonEquals } from 'rostack-core';
import { itemUrl } from '../../../probe/place/urls.ts';
import type { SeenEvent } from '../../../probe/ws/seen-message.ts';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { type EventData, eventDataOf } from '../trial/event-data.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, type GatewayTrial } from '../trial/gateway-trial.ts';
import { TrialRecords } from '../trial/trial-records.ts';

const TRANSITIONS = ['create', 'update', 'delete'] as const;

/** A record is created, changed and deleted, and its events are followed in several ways. */
export const changes = gatewayCheck({
  name: 'follows.changes',
  requirements: [
    'ws.resume.without-cursor',
    'ws.at-least-once',
    'ws.event.data',
    'ws.event.tombstone',
    'ws.event.detail-url',
    'ws.event.identity',
    'ws.subscribe.event-types',
    'ws.compact.same',
    'ws.compact.events-only',
    'ws.message.unsubscribe',
    'version.resource',
    'decided.id',
  ],
  needs: ['driver'],
  async run(trial) {
    const { resource, context } = trial;
    const data = await eventDataOf(context, resource);
    await using records = await TrialRecords.of(trial);
    const plain = await trial.session();
    const all = { subscription_id: 'all', resource: resource.name };
    const answer = await trial.subscribed(plain, all);
    const expected = 'Without a cursor replaying is false, and events are live at once.';
    const got = `replaying is ${JSON.stringify(answer.members.replaying)}.`;
    trial.judge('ws.resume.without-cursor', answer.members.replaying === false, expected, got, plain);
    const [onlyType] = resource.events;
    const typed = { ...all, subscription_id: 'typed', event_types: [onlyType?.name] };
    await trial.subscribed(plain, typed);
    const compact = await subscribeCompact(trial);

    const id = records.id();
    const before = [await records.put(id, 0), undefined, undefined];
    await judgeVersion(trial, plain, id);
    before[1] = await records.put(id, 1);
    await records.delete(id);
    const events = await eventsOf(plain, 'all', id, 3);
    judgeThree(trial, plain, events);
    judgeData(trial, plain, { events, data, states: [before[0], before[1], before[1]] });
    judgeTypes(trial, plain, id, onlyType?.name ?? '');
    if (compact !== undefined) await judgeCompact(trial, compact, id, events);
    await judgeUnsubscribe(trial, plain, records);
  },
});

async function subscribeCompact(trial: GatewayTrial): Promise<WsProbe | undefined> {
  const { event_encodings: encodings } = trial.context.discovery.capabilities.websocket;
  if (!encodings.some((encoding) => encoding === 'compact-json')) {
    for (const id of ['ws.compact.same', 'ws.compact.events-only']) {
      trial.context.findings.skip(id, 'not claimed: compact-json');
    }
    return undefined;
  }
  const probe = await trial.session();
  const members = {
    subscription_id: 'compact',
    resource: trial.resource.name,
    event_encoding: 'compact-json',
  };
  const { members: answer } = await trial.subscribed(probe, members);
  const isChosen = answer.event_encoding === 'compact-json';
  const got = `It is ${JSON.stringify(answer.event_encoding)}.`;
  trial.judge('ws.compact.same', isChosen, 'event_encoding is the one that was asked for.', got, probe);
  return probe;
}

/** The events of one record on one subscription, once there are `count` of them, or in time none has come. */
export async function eventsOf(
  probe: WsProbe,
  subscriptionId: string,
  id: string,
  count: number,
): Promise<readonly SeenEvent[]> {
  const found = () => probe.eventsOf(subscriptionId).filter(({ resourceId }) => resourceId === id);
  await probe.until(() => (found().length >= count ? true : undefined), ANSWER_MS);
  return found();
}

/** The version of an event is the ETag of its item. */
async function judgeVersion(trial: GatewayTrial, probe: WsProbe, id: string): Promise<void> {
  const { http, tokens, findings } = trial.context;
  const [event] = await eventsOf(probe, 'all', id, 1);
  if (event === undefined) return;
  const item = await http.get(itemUrl(trial.resource, id), { token: tokens.main });
  const etag = item.header('etag');
  if (item.status !== 200 || etag === undefined) {
    findings.skip('version.resource', 'no data: the item has no ETag');
    return;
  }
  const isSame = etag.replace(/^W\//, '') === formatEtag(event.resourceVersion);
  const got = `The event has ${event.resourceVersion}, and the item ${etag}.`;
  trial.judge(
    'version.resource',
    isSame,
    'resource_version of an event is the ETag of its item.',
    got,
    probe,
  );
}

function judgeThree(trial: GatewayTrial, probe: WsProbe, events: readonly SeenEvent[]): void {
  const { resource } = trial;
  const transitionOf = (type: string) => resource.events.find(({ name }) => name === type)?.state_transition;
  const wanted = TRANSITIONS.filter((name) =>
    resource.events.some((event) => event.state_transition === name),
  );
  const unique = events.filter(
    ({ eventId }, index) => events.findIndex((each) => each.eventId === eventId) === index,
  );
  const came = unique.map(({ eventType }) => transitionOf(eventType) ?? eventType);
  const expected = `A record that is created, changed and deleted has the events ${wanted.join(', ')}, in this order.`;
  const got = `There came ${came.length === 0 ? 'none' : came.join(', ')}.`;
  trial.judge('ws.at-least-once', came.join() === wanted.join(), expected, got, probe);
  trial.judge('ws.resume.without-cursor', came.length > 0, expected, got, probe);
  const times = unique.map(({ occurredAtMs }) => occurredAtMs);
  const isOrdered = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0));
  const versions = new Set(unique.map(({ resourceVersion }) => resourceVersion));
  const isOwn = versions.size === unique.length;
  const expectedIdentity = 'Each event has the version and the time of its change.';
  const gotIdentity = isOwn ? 'Times go back.' : 'Two changes have one version.';
  trial.judge('ws.event.identity', isOwn && isOrdered, expectedIdentity, gotIdentity, probe);
}

/** `states` has the record after each change; for a delete, before it. */
function judgeData(
  trial: GatewayTrial,
  probe: WsProbe,
  {
    events,
    data,
    states,
  }: { events: readonly SeenEvent[]; data: EventData; states: readonly (JsonObject | undefined)[] },
): void {
  const { resource } = trial;
  for (const [index, event] of events.entries()) {
    trial.keep('decided.id');
    if (event.detailUrl === undefined) trial.keep('ws.event.detail-url');
    else {
      const isItem = event.detailUrl === itemUrl(resource, event.resourceId);
      if (isItem) trial.keep('ws.event.detail-url');
      else
        trial.context.findings.note('ws.event.detail-url', 'detail_url is not what item_url_template gives.');
    }
    const descriptor = resource.events.find(({ name }) => name === event.eventType);
    if (event.data === undefined) continue;
    const fault = data.faultOf(event.eventType, event.data);
    const expected = `The data of ${event.eventType} fits the schema of its descriptor.`;
    trial.judge('ws.event.data', fault === undefined, expected, fault ?? '', probe);
    const state = states[index];
    if (!data.isRecord(event.eventType) || state === undefined || events.length !== states.length) continue;
    const isState = jsonEquals(event.data, state);
    const isDelete = descriptor?.state_transition === 'delete';
    if (isDelete && descriptor.tombstone !== true) continue;
    const id = isDelete ? 'ws.event.tombstone' : 'ws.event.data';
    const what = isDelete ? 'before its deletion' : 'after its change';
    trial.judge(
      id,
      isState,
      `The data of ${event.eventType} is the record ${what}.`,
      'It is another.',
      probe,
    );
  }
}

function judgeTypes(trial: GatewayTrial, probe: WsProbe, id: string, type: string): void {
  const typed = probe.eventsOf('typed').filter(({ resourceId }) => resourceId === id);
  const others = typed.filter(({ eventType }) => eventType !== type);
  const hasIt = probe
    .eventsOf('all')
    .some(({ resourceId, eventType }) => resourceId === id && eventType === type);
  const isRight = others.length === 0 && (typed.length > 0 || !hasIt);
  const got = others.length > 0 ? `There came ${others[0]?.eventType}.` : 'None came.';
  trial.judge('ws.subscribe.event-types', isRight, `With event_types only ${type} is sent.`, got, probe);
}

async function judgeCompact(
  trial: GatewayTrial,
  probe: WsProbe,
  id: string,
  plain: readonly SeenEvent[],
): Promise<void> {
  const compact = await eventsOf(probe, 'compact', id, plain.length);
  const isOnly = compact.every(({ message }) => message.isCompact);
  const expectedOnly = 'With compact-json events are compact, and all else are objects.';
  trial.judge('ws.compact.events-only', isOnly, expectedOnly, 'An event came as an object.', probe);
  const said = (events: readonly SeenEvent[]) => events.map(withoutPlace);
  const isSame = JSON.stringify(said(compact)) === JSON.stringify(said(plain));
  const isSameIdentity = compact.map(identityOf).join() === plain.map(identityOf).join();
  const expected = 'A compact event says what the plain event says.';
  trial.judge('ws.compact.same', isSame || !isSameIdentity, expected, 'They differ.', probe);
  const expectedIdentity = 'An event has one event_id, version and time, wherever it is sent.';
  trial.judge(
    'ws.event.identity',
    isSameIdentity,
    expectedIdentity,
    'They differ between two connections.',
    probe,
  );
}

/** What an event says, without where it was received. */
export function withoutPlace(event: SeenEvent): object {
  const { message: _, subscriptionId: __, cursor: ___, ...rest } = event;
  return rest;
}

const identityOf = ({ eventId, resourceVersion }: SeenEvent): string => `${eventId} ${resourceVersion}`;

async function judgeUnsubscribe(trial: GatewayTrial, probe: WsProbe, records: TrialRecords): Promise<void> {
  probe.send({ type: 'unsubscribe', subscription_id: 'typed' });
  if (!(await trial.ping(probe))) return;
  const id = records.id();
  await records.put(id, 0);
  await records.put(id, 1);
  await records.delete(id);
  await eventsOf(probe, 'all', id, 3);
  await trial.ping(probe);
  const late = probe.eventsOf('typed').filter(({ resourceId }) => resourceId === id);
  const expected = 'No event of a subscription comes after its unsubscribe.';
  trial.judge('ws.message.unsubscribe', late.length === 0, expected, `${late.length} came.`, probe);
}
