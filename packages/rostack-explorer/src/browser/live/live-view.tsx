import { useState } from 'preact/hooks';
import type { ExplorerResource } from '../../description/explorer-data.ts';
import { EMPTY_DRAFT, FilterBuilder } from '../filter/filter-builder.tsx';
import { toFilter } from '../filter/to-filter.ts';
import { Failure, toFailureText } from '../parts/failure.tsx';
import { ItemDialog } from '../parts/item-dialog.tsx';
import type { Session } from '../session/session.ts';
import { EventTable, TransitionMark } from './event-table.tsx';
import { FrameList } from './frame-list.tsx';
import { type LiveEvent, type LiveFeed, type LiveQuery, type LiveState, useLiveFeed } from './live-feed.ts';
import { RateChart } from './rate-chart.tsx';

const STATES: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  waiting: 'Connection lost; connecting again',
  ended: 'Stopped',
};

/** Events of a resource as they happen. */
export function LiveView({
  session,
  resource,
  isWatched,
}: {
  readonly session: Session;
  readonly resource: ExplorerResource;
  /** Whether all events are watched from the beginning. */
  readonly isWatched: boolean;
}) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>();
  const all = resource.events.map(({ name }) => name);
  const [eventTypes, setEventTypes] = useState(all);
  const [query, setQuery] = useState<LiveQuery | undefined>(
    isWatched && all.length > 0 ? { resource: resource.name, eventTypes: all, filter: undefined } : undefined,
  );
  const [running, setRunning] = useState(query !== undefined);
  const feed = useLiveFeed(session, query);

  if (resource.events.length === 0) return <p class="note">This resource has no events.</p>;

  const start = () => {
    const result = toFilter(draft.conditions, draft.match, resource.fields);
    setFaults(result.faults);
    if (result.faults !== undefined || eventTypes.length === 0) return;
    setQuery({ resource: resource.name, eventTypes, filter: result.filter });
    setRunning(true);
  };
  const stop = () => {
    setQuery(undefined);
    setRunning(false);
  };
  const toggle = (name: string) =>
    setEventTypes(
      eventTypes.includes(name) ? eventTypes.filter((each) => each !== name) : [...eventTypes, name],
    );

  return (
    <div class="live-view">
      <form
        class="query"
        onSubmit={(event) => {
          event.preventDefault();
          start();
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
            {running ? 'Apply' : 'Watch'}
          </button>
          <button type="button" disabled={!running} onClick={stop}>
            Stop
          </button>
        </div>
      </form>
      {feed === undefined ? null : <Feed feed={feed} resource={resource} />}
    </div>
  );
}

function Feed({ feed, resource }: { readonly feed: LiveFeed; readonly resource: ExplorerResource }) {
  const [opened, setOpened] = useState<LiveEvent>();
  return (
    <>
      <p class={`state ${feed.state}`}>
        <span role="status">
          {STATES[feed.state]}
          {feed.hasGap ? '; some events may be missing' : ''}
        </span>
        <span class="count">
          {feed.eventCount} {feed.eventCount === 1 ? 'event' : 'events'}
        </span>
      </p>
      {feed.error === undefined ? null : <Failure failure={toFailureText(feed.error)} />}
      <RateChart seconds={feed.rate()} />
      {feed.events.length === 0 ? (
        <p class="note">{feed.state === 'live' ? 'Nothing has happened yet.' : ''}</p>
      ) : (
        <EventTable events={feed.events} fields={resource.fields} onOpen={setOpened} />
      )}
      <FrameList frames={feed.frames} count={feed.frameCount} />
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
    </>
  );
}
