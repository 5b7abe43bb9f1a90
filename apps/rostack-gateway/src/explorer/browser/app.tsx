import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExplorerData, ExplorerResource } from '../explorer-data.ts';
import { ConnectForm } from './connect-form.tsx';
import { LiveView } from './live/live-view.tsx';
import { Tabs, tabId } from './parts/tabs.tsx';
import { RecordsView } from './records/records-view.tsx';
import type { Session } from './session.ts';

const VIEWS = ['records', 'live'] as const;
const VIEW_TITLES = { records: 'Records', live: 'Live events' };
const PANEL_ID = 'explore-panel';

/** The live part of the page: a token first, then records and events. */
export function App({ data }: { readonly data: ExplorerData }) {
  const [session, setSession] = useState<Session>();
  const [name, setName] = useState(data.resources[0]?.name);
  const [view, setView] = useState<(typeof VIEWS)[number]>('records');
  const resource = data.resources.find((each) => each.name === name);

  if (session === undefined) return <ConnectForm data={data} onConnected={setSession} />;
  if (resource === undefined) return null;
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
          panelId={PANEL_ID}
          onSelect={setView}
        />
        <button type="button" class="quiet forget" onClick={forget}>
          Forget token
        </button>
      </div>
      <div id={PANEL_ID} role="tabpanel" aria-labelledby={tabId(PANEL_ID, view)}>
        {view === 'records' ? (
          <RecordsView
            key={resource.name}
            session={session}
            resource={resource}
            maxPageSize={data.maxPageSize}
          />
        ) : (
          <LiveView key={resource.name} session={session} resource={resource} />
        )}
      </div>
    </div>
  );
}

interface ResourcePickerProps {
  readonly resources: readonly ExplorerResource[];
  readonly selected: string;
  readonly onSelect: (name: string) => void;
}

function ResourcePicker({ resources, selected, onSelect }: ResourcePickerProps) {
  const select = useRef<HTMLSelectElement>(null);
  // The form that had the focus is gone when this appears.
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
