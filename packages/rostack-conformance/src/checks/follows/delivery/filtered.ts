import { jsonEquals, parsePointer, type Resource, resolvePointer } from 'rostack-core';
import { KitError } from '../../../base/kit-error.ts';
import type { SeenEvent } from '../../../probe/ws/seen-message.ts';
import type { WsProbe } from '../../../probe/ws/ws-probe.ts';
import { eventDataOf } from '../trial/event-data.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, Blocked, type GatewayTrial } from '../trial/gateway-trial.ts';
import { TrialRecords } from '../trial/trial-records.ts';

const WHOLE_RECORD = 'ws.filtered.whole-record';

/** What each filter should see of records that change between the two sorts: `+` create, `~` update, `-` delete. */
interface Expected {
  readonly name: 'first' | 'both' | 'not-first';
  /** `mover` is of sort 0, then 1, then 0, then deleted; `stayer` is of sort 1, then deleted. */
  readonly mover: string;
  readonly stayer: string;
}

const EXPECTED: readonly Expected[] = [
  { name: 'first', mover: '+-+-', stayer: '' },
  { name: 'both', mover: '+~~-', stayer: '+-' },
  { name: 'not-first', mover: '+-', stayer: '+-' },
];

const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', delete: '-' };

/** Records start to match filters, still match, and stop matching. */
export const filtered = gatewayCheck({
  name: 'follows.filtered',
  requirements: [
    'ws.filtered.enter',
    'ws.filtered.stay',
    'ws.filtered.leave',
    'ws.filtered.outside',
    'ws.filtered.missing',
    WHOLE_RECORD,
  ],
  needs: ['driver', 'event-filtering'],
  async run(trial) {
    const { resource } = trial;
    await follow(trial, resource);
    if (trial.kept.has(WHOLE_RECORD)) return;
    for (const other of trial.followed) {
      if (other !== resource && other.event_filtering === true) await followFurther(trial, other);
      if (trial.kept.has(WHOLE_RECORD)) return;
    }
  },
});

/** Skips a resource that the driver cannot write to or the token may not follow. */
async function followFurther(trial: GatewayTrial, resource: Resource): Promise<void> {
  try {
    await follow(trial, resource);
  } catch (error) {
    const isRefused = error instanceof Blocked && error.id === undefined;
    const isUnable = error instanceof KitError && error.code === 'driver_failed';
    if (!isRefused && !isUnable) throw error;
    trial.context.findings.skip(WHOLE_RECORD, `${resource.name} cannot be changed or followed here`);
  }
}

async function follow(trial: GatewayTrial, resource: Resource): Promise<void> {
  await using records = await TrialRecords.of(trial, resource);
  const { sorts } = records;
  if (sorts === undefined) {
    throw new Blocked(undefined, 'Two records differ in a field with eq.', 'There are none.');
  }
  const [first, second] = sorts.values.map((value) => ({ [sorts.pointer]: { eq: value } }));
  const filters = { first, both: { $or: [first, second] }, 'not-first': { $not: first } };
  const probe = await trial.session();
  for (const { name } of EXPECTED) {
    await trial.subscribed(probe, {
      subscription_id: name,
      resource: resource.name,
      filter: filters[name],
    });
  }
  const [mover, stayer, last] = [records.id(), records.id(), records.id()];
  await records.put(mover, 0);
  await records.put(mover, 1);
  await records.put(mover, 0);
  await records.delete(mover);
  await records.put(stayer, 1);
  await records.delete(stayer);
  // Every filter sees this record, and its events come after all others.
  await records.put(last, 1);
  await records.put(last, 0);
  await records.delete(last);
  await Promise.all(EXPECTED.map(({ name }) => ended(probe, name, last)));
  const data = await eventDataOf(trial.context, resource);
  const isTombstone = resource.events.some((event) => event.state_transition === 'delete' && event.tombstone);
  for (const expected of EXPECTED) judge(trial, resource, probe, expected, { mover, stayer });
  judgeWholeRecord(trial, probe, mover, sorts.pointer);
  if (isTombstone) judgeLastState(trial, probe, { mover, records, isRecord: data.isRecord });
}

const ended = (probe: WsProbe, name: string, last: string): Promise<unknown> =>
  probe.until(
    () => (ofRecord(probe, name, last).length >= (name === 'both' ? 3 : 2) ? true : undefined),
    ANSWER_MS,
  );

/** The events of a record. Duplicates by id are allowed and count once. */
const ofRecord = (probe: WsProbe, name: string, id: string): readonly SeenEvent[] => {
  const events = probe.eventsOf(name).filter(({ resourceId }) => resourceId === id);
  return events.filter(
    ({ eventId }, index) => events.findIndex((each) => each.eventId === eventId) === index,
  );
};

function judge(
  trial: GatewayTrial,
  resource: Resource,
  probe: WsProbe,
  { name, ...expected }: Expected,
  ids: { readonly mover: string; readonly stayer: string },
): void {
  const signs = new Map(
    resource.events.map((event) => [event.name, SIGNS[event.state_transition] ?? '?'] as const),
  );
  for (const kind of ['mover', 'stayer'] as const) {
    const seen = ofRecord(probe, name, ids[kind])
      .map(({ eventType }) => signs.get(eventType) ?? '?')
      .join('');
    const wanted = expected[kind];
    const isRight = seen === wanted;
    const sentence = `The filter "${name}" sees ${wanted === '' ? 'nothing' : wanted} (+ create, ~ update, - delete).`;
    const got = `It saw ${seen === '' ? 'nothing' : seen}.`;
    if (isRight) for (const id of shownBy(wanted)) trial.keep(id);
    else trial.fail(blamed(name, wanted, seen), sentence, got, probe);
  }
}

const shownBy = (wanted: string): readonly string[] => [
  ...(wanted.includes('+') ? ['ws.filtered.enter', 'ws.filtered.missing'] : []),
  ...(wanted.includes('~') ? ['ws.filtered.stay'] : []),
  ...(wanted.includes('-') ? ['ws.filtered.leave'] : []),
  ...(wanted === '' ? ['ws.filtered.outside'] : []),
];

/** The requirement that the first difference breaks. */
function blamed(name: string, wanted: string, seen: string): string {
  const at = Array.from(wanted).findIndex((sign, index) => sign !== seen[index]);
  const sign = at === -1 ? '' : wanted[at];
  if (sign === '') return name === 'not-first' ? 'ws.filtered.missing' : 'ws.filtered.outside';
  if (name === 'not-first' && at === 0 && seen !== '') return 'ws.filtered.missing';
  if (sign === '~') return 'ws.filtered.stay';
  return sign === '-' ? 'ws.filtered.leave' : 'ws.filtered.enter';
}

/** Passes if the filter worked although the events do not carry its field. */
function judgeWholeRecord(trial: GatewayTrial, probe: WsProbe, mover: string, pointer: string): void {
  const events = ofRecord(probe, 'first', mover);
  const carries = events.some(
    ({ data }) => data !== undefined && resolvePointer(data, parsePointer(pointer)) !== undefined,
  );
  if (carries) trial.context.findings.skip(WHOLE_RECORD, 'no data: events carry the field of the filter');
  else if (events.length > 0) trial.keep(WHOLE_RECORD);
}

/** The event of a record that stops matching has the state before. */
function judgeLastState(
  trial: GatewayTrial,
  probe: WsProbe,
  { mover, records, isRecord }: { mover: string; records: TrialRecords; isRecord: (type: string) => boolean },
): void {
  const [, left] = ofRecord(probe, 'first', mover);
  if (left?.data === undefined || !isRecord(left.eventType)) return;
  const isBefore = jsonEquals(left.data, records.record(mover, 0));
  const expected = 'A record that no longer matches is sent with its state before.';
  trial.judge('ws.filtered.leave', isBefore, expected, 'The data is another state.', probe);
}
