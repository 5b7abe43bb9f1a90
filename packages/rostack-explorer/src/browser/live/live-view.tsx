import { useState } from 'preact/hooks';
import type { ExplorerResource } from '../../description/explorer-data.ts';
import { EMPTY_DRAFT, FilterBuilder } from '../filter/filter-builder.tsx';
import { toFilter } from '../filter/to-filter.ts';
import { Failure, toFailureText } from '../parts/failure.tsx';
import { ItemDialog } from '../parts/item-dialog.tsx';
import type { Session } from '../session/session.ts';
import { EventTable, TransitionMark } from './event-table.tsx';
import { FrameList } from './frame-list.tsx';
import { type LiveEvent, type LiveQuery, type LiveState, useLiveFeed } from './live-feed.ts';
import { RateChart } from './rate-chart.tsx';

const STATES: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  waiting: 'Connection lost; connecting again',
  ended: 'Stopped',
};

interface LiveViewProps {
  readonly session: Session;
  readonly resource: ExplorerResource;
}

/** Events of a resource as they happen, all of them at first. */
export function LiveView({ session, resource }: LiveViewProps) {
  const all = resource.events.map(({ name }) => name);
  const [query, setQuery] = useState<LiveQuery | undefined>(
    all.length === 0 ? undefined : { resource: resource.name, eventTypes: all, filter: undefined },
  );
  const [chosen, setChosen] = useState(query);
  const feed = useLiveFeed(session, query);
  const [opened, setOpened] = useState<LiveEvent>();

  if (all.length === 0) return <p class="note">This resource has no events.</p>;
  const watch = (next: LiveQuery | undefined) => {
    setChosen(next);
    setQuery(next);
  };
  return (
    <div class="live-view">
      {feed === undefined ? null : (
        <>
          <p class={`state ${feed.state}`}>
            <span role="status">
              {STATES[feed.state]}
              {feed.hasGap ? '; some events may be missing' : ''}
            </span>
            <span class="count">
              {feed.eventCount} {feed.eventCount === 1 ? 'event' : 'events'}
            </span>
            <RateChart seconds={feed.rate()} />
            {query === undefined ? (
              <button type="button" onClick={() => watch(chosen)}>
                Watch
              </button>
            ) : (
              <button type="button" onClick={() => setQuery(undefined)}>
                Stop
              </button>
            )}
          </p>
          {feed.error === undefined ? null : <Failure failure={toFailureText(feed.error)} />}
        </>
      )}
      <EventChoice resource={resource} all={all} onChoose={watch} />
      {feed === undefined ? null : (
        <>
          {feed.events.length === 0 ? (
            <p class="note">{feed.state === 'live' ? 'Nothing has happened yet.' : ''}</p>
          ) : (
            <EventTable events={feed.events} fields={resource.fields} onOpen={setOpened} />
          )}
          <FrameList frames={feed.frames} count={feed.frameCount} />
        </>
      )}
      {opened === undefined ? null : (
        <ItemDialog
          title={opened.event.resourceId}
          fields={resource.fields}
          value={opened.event.data}
          facts={
            <p class="note">
              <TransitionMark of={opened.event.transition} /> <code>{opened.event.eventType}</code> at{' '}
              {opened.event.occurredAt}, version <code>{opened.event.resourceVersion}</code>
            </p>
          }
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

interface EventChoiceProps {
  readonly resource: ExplorerResource;
  /** The names of all events. */
  readonly all: readonly string[];
  readonly onChoose: (query: LiveQuery) => void;
}

/** Which events to watch, by name and, where the resource allows it, by a filter. */
function EventChoice({ resource, all, onChoose }: EventChoiceProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>();
  const [eventTypes, setEventTypes] = useState(all);
  const toggle = (name: string) =>
    setEventTypes(
      eventTypes.includes(name) ? eventTypes.filter((each) => each !== name) : [...eventTypes, name],
    );
  const apply = () => {
    const result = toFilter(draft.conditions, draft.match, resource.fields);
    setFaults(result.faults);
    if (result.faults === undefined) onChoose({ resource: resource.name, eventTypes, filter: result.filter });
  };
  return (
    <details class="choice">
      <summary>Choose events</summary>
      <form
        class="query"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <fieldset class="event-types">
          <legend>Events</legend>
          {resource.events.map(({ name, transition }) => (
            <label key={name} class="check">
              <input type="checkbox" checked={eventTypes.includes(name)} onChange={() => toggle(name)} />
              <code>{name}</code> <TransitionMark of={transition} />
            </label>
          ))}
        </fieldset>
        {resource.eventFiltering ? (
          <FilterBuilder
            fields={resource.fields}
            draft={draft}
            faults={faults}
            idPrefix="live"
            onChange={setDraft}
          />
        ) : null}
        <div class="query-actions">
          {eventTypes.length === 0 ? <p class="fault">Choose at least one event.</p> : null}
          <button type="submit" class="primary" disabled={eventTypes.length === 0}>
            Watch these
          </button>
        </div>
      </form>
    </details>
  );
}
