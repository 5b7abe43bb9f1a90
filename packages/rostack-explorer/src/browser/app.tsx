import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExplorerData, ExplorerResource } from '../description/explorer-data.ts';
import { ConnectForm } from './connect-form.tsx';
import { LiveView } from './live/live-view.tsx';
import { Tabs, tabId } from './parts/tabs.tsx';
import { VIEW_TITLES, VIEWS, type ViewName } from './parts/views.ts';
import { RecordsView } from './records/records-view.tsx';
import type { Session } from './session/session.ts';
import type { StartLink } from './session/start-link.ts';

const panelId = (name: string): string => `explore-${name}`;

interface AppProps {
  readonly data: ExplorerData;
  /** What the link to the page asked for. */
  readonly start: StartLink;
}

/** The live part of the page: first it asks for a token, unless the link brought one, then it shows records and events. */
export function App({ data, start }: AppProps) {
  const [session, setSession] = useState<Session>();
  const [linked, setLinked] = useState(start.token);
  const first = data.resources.find((each) => each.name === start.resource) ?? data.resources[0];
  const [name, setName] = useState(first?.name);
  const [view, setView] = useState<ViewName>(start.view ?? 'records');
  // A view is made when it is first shown, and stays as it is while the other one is shown.
  const [seen, setSeen] = useState<ReadonlySet<ViewName>>(new Set([view]));
  const resource = data.resources.find((each) => each.name === name);

  if (session === undefined) return <ConnectForm data={data} token={linked} onConnected={setSession} />;
  if (resource === undefined) return null;
  const select = (name: ViewName) => {
    setView(name);
    setSeen(new Set([...seen, name]));
  };
  const forget = () => {
    setSession(undefined);
    setLinked(undefined);
    void session[Symbol.asyncDispose]();
  };
  return (
    <div class="console">
      <div class="console-head">
        <ResourcePicker resources={data.resources} selected={resource.name} onSelect={setName} />
        <Tabs
          label="View"
          names={VIEWS}
          titles={VIEW_TITLES}
          selected={view}
          panelId={panelId}
          onSelect={select}
        />
        <button type="button" class="quiet forget" onClick={forget}>
          Forget token
        </button>
      </div>
      {VIEWS.map((each) => (
        <div
          key={each}
          id={panelId(each)}
          role="tabpanel"
          aria-labelledby={tabId(panelId(each))}
          hidden={each !== view}
        >
          {seen.has(each) ? (
            <View
              key={resource.name}
              view={each}
              session={session}
              resource={resource}
              data={data}
              isWatched={start.view === 'live' && resource === first}
            />
          ) : null}
        </div>
      ))}
    </div>
  );
}

interface ViewProps {
  readonly view: ViewName;
  readonly session: Session;
  readonly resource: ExplorerResource;
  readonly data: ExplorerData;
  /** Whether events are watched without being asked to. */
  readonly isWatched: boolean;
}

function View({ view, session, resource, data, isWatched }: ViewProps) {
  return view === 'records' ? (
    <RecordsView session={session} resource={resource} maxPageSize={data.maxPageSize} />
  ) : (
    <LiveView session={session} resource={resource} isWatched={isWatched} />
  );
}

interface ResourcePickerProps {
  readonly resources: readonly ExplorerResource[];
  readonly selected: string;
  readonly onSelect: (name: string) => void;
}

function ResourcePicker({ resources, selected, onSelect }: ResourcePickerProps) {
  const select = useRef<HTMLSelectElement>(null);
  // The form that had the focus is gone.
  useEffect(() => select.current?.focus({ preventScroll: true }), []);
  return (
    <label class="resource-picker">
      Resource{' '}
      <select ref={select} value={selected} onChange={(event) => onSelect(event.currentTarget.value)}>
        {resources.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
