import type { JsonValue, Transition } from 'rostack-core';
import type { ExplorerField } from '../../description/explorer-data.ts';
import { TRANSITION_SIGNS } from '../../description/words.ts';
import { valueAt, valueInWords } from '../parts/values.ts';
import type { LiveEvent } from './live-feed.ts';

interface EventTableProps {
  readonly events: readonly LiveEvent[];
  readonly fields: readonly ExplorerField[];
  readonly onOpen: (event: LiveEvent) => void;
}

const MAX_FIELDS = 5;

/** An event in one line: the fields that changed if the record is known, otherwise its first fields. */
function Summary({
  event: { event, before },
  fields,
}: {
  readonly event: LiveEvent;
  readonly fields: readonly ExplorerField[];
}) {
  const { data, transition } = event;
  if (data === undefined) return null;
  if (transition === 'update' && before !== undefined) {
    return (
      <>
        {changedFields(before, data, fields).map(({ path, before: old, after }) => (
          <span key={path} class="change">
            {path} <del>{old}</del> <ins>{after}</ins>
          </span>
        ))}
      </>
    );
  }
  // The time of the event has its own column, and a value from a fixed list says more than a measurement.
  const telling = fields
    .filter(({ format }) => format !== 'date-time')
    .sort((left, right) => Number(right.values !== undefined) - Number(left.values !== undefined));
  const told = changedFields({}, data, telling).filter(({ after }) => after !== event.resourceId);
  return (
    <>
      {told.slice(0, MAX_FIELDS).map(({ path, after }) => (
        <span key={path} class="change">
          {path} <b>{after}</b>
        </span>
      ))}
    </>
  );
}

/** Time of day with milliseconds, UTC. */
const timeOf = (occurredAt: string): string => new Date(occurredAt).toISOString().slice(11, 23);

/** Events, newest first. */
export function EventTable({ events, fields, onOpen }: EventTableProps) {
  return (
    <section class="scroller tall" tabIndex={0} aria-label="Live events, newest first">
      <table class="events">
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Time (UTC)</th>
            <th scope="col">Record</th>
            <th scope="col">Fields</th>
            <th scope="col">Event</th>
          </tr>
        </thead>
        <tbody>
          {events.map((each) => (
            <tr key={each.event.eventId} class={each.event.transition}>
              <td>
                <TransitionMark of={each.event.transition} />
              </td>
              <td class="time">{timeOf(each.event.occurredAt)}</td>
              <th scope="row">
                <button type="button" class="link" onClick={() => onOpen(each)}>
                  {each.event.resourceId}
                </button>
              </th>
              <td class="summary">
                <Summary event={each} fields={fields} />
              </td>
              <td>
                <code>{each.event.eventType}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A field whose value differs between two states of a record. */
interface ChangedField {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The fields that differ; those that hold others are left out, because their members show the difference. */
function changedFields(
  before: JsonValue,
  after: JsonValue,
  fields: readonly ExplorerField[],
): readonly ChangedField[] {
  return fields.flatMap(({ tokens, path, nested, types }) => {
    if (nested && !types.includes('array')) return [];
    const old = valueInWords(valueAt(before, tokens));
    const present = valueInWords(valueAt(after, tokens));
    return old === present ? [] : [{ path, before: old, after: present }];
  });
}

/** What an event does to a record, by sign, word and colour. */
export function TransitionMark({ of }: { readonly of: Transition }) {
  return (
    <span class={`transition ${of}`}>
      <span aria-hidden="true">{TRANSITION_SIGNS[of]}</span> {of}
    </span>
  );
}
