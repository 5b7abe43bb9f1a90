import type { Transition } from 'rostack-core';
import type { EventDescription } from '../description/describe-implementation.ts';
import { TRANSITION_SIGNS } from '../description/words.ts';
import { Scroller } from './parts.tsx';

const CARRIED: Readonly<Record<EventDescription['carries'], string>> = {
  record: 'the record after the change',
  nothing: 'nothing',
  projection: 'data of its own',
};

const carried = ({ carries, descriptor }: EventDescription): string =>
  descriptor.state_transition === 'delete' && carries === 'record'
    ? `the record before${descriptor.tombstone ? ', as a tombstone' : ''}`
    : CARRIED[carries];

/** The events of a resource, with what each one carries. */
export function EventTable({
  name,
  events,
}: {
  readonly name: string;
  readonly events: readonly EventDescription[];
}) {
  return (
    <Scroller label={`Events of ${name}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Transition</th>
            <th scope="col">Data</th>
            <th scope="col">Schema</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr>
              <th scope="row">
                <code>{event.descriptor.name}</code>
                {event.descriptor.description === undefined ? null : (
                  <span class="limits">{event.descriptor.description}</span>
                )}
              </th>
              <td>
                <TransitionMark of={event.descriptor.state_transition} />
              </td>
              <td>{carried(event)}</td>
              <td>
                <a href={event.descriptor.schema_url} aria-label={`JSON Schema of ${event.descriptor.name}`}>
                  JSON Schema
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

/** What an event does to a record, by sign, word and colour. */
export function TransitionMark({ of }: { readonly of: Transition }) {
  return (
    <span class={`transition ${of}`}>
      <span aria-hidden="true">{TRANSITION_SIGNS[of]}</span> {of}
    </span>
  );
}
