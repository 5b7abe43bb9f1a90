import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExplorerData, ExplorerResource } from '../description/explorer-data.ts';
import { ConnectForm } from './connect-form.tsx';
import { LiveView } from './live/live-view.tsx';
import { Tabs, tabId } from './parts/tabs.tsx';
import { RecordsView } from './records/records-view.tsx';
import type { Session } from './session/session.ts';

const VIEWS = ['records', 'live'] as const;
type ViewName = (typeof VIEWS)[number];
const VIEW_TITLES = { records: 'Records', live: 'Live events' };
const panelId = (name: string): string => `explore-${name}`;

/** The live part of the page: first it asks for a token, then it shows records and events. */
export function App({ data }: { readonly data: ExplorerData }) {
  const [session, setSession] = useState<Session>();
  const [name, setName] = useState(data.resources[0]?.name);
  const [view, setView] = useState<ViewName>('records');
  // A view is made when it is first shown, and stays as it is while the other one is shown.
  const [seen, setSeen] = useState<ReadonlySet<ViewName>>(new Set(['records']));
  const resource = data.resources.find((each) => each.name === name);

  if (session === undefined) return <ConnectForm data={data} onConnected={setSession} />;
  if (resource === undefined) return null;
  const select = (name: ViewName) => {
    setView(name);
    setSeen(new Set([...seen, name]));
  };
  const forget = () => {
    setSession(undefined);
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
            <View key={resource.name} view={each} session={session} resource={resource} data={data} />
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
}

function View({ view, session, resource, data }: ViewProps) {
  return view === 'records' ? (
    <RecordsView session={session} resource={resource} maxPageSize={data.maxPageSize} />
  ) : (
    <LiveView session={session} resource={resource} />
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
