import type { ImplementedEvent } from 'rostack-core';
import { Scroller } from './scroller.tsx';
import { TransitionMark } from './transition-mark.tsx';

const CARRIED: Readonly<Record<ImplementedEvent['carries'], string>> = {
  record: 'the record after the change',
  nothing: 'nothing',
  projection: 'data of its own',
};

const carried = ({ carries, transition, tombstone }: ImplementedEvent): string =>
  transition === 'delete' && carries === 'record'
    ? `the record before${tombstone ? ', as a tombstone' : ''}`
    : CARRIED[carries];

/** The events of a resource: what each tells, and what it carries. */
export function EventTable({
  name,
  events,
}: {
  readonly name: string;
  readonly events: readonly ImplementedEvent[];
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
                <code>{event.name}</code>
                {event.descriptor.description === undefined ? null : (
                  <span class="limits">{event.descriptor.description}</span>
                )}
              </th>
              <td>
                <TransitionMark of={event.transition} />
              </td>
              <td>{carried(event)}</td>
              <td>
                <a href={event.schemaUrl} aria-label={`JSON Schema of ${event.name}`}>
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
