import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ExplorerData } from '../description/explorer-data.ts';
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
  const [view, setView] = useState<ViewName>(start.view ?? 'records');

  if (session === undefined) return <ConnectForm data={data} token={linked} onConnected={setSession} />;
  const forget = () => {
    setSession(undefined);
    setLinked(undefined);
    void session[Symbol.asyncDispose]();
  };
  return (
    <div class="console">
      <div class="console-head">
        <Tabs
          label="View"
          names={VIEWS}
          titles={VIEW_TITLES}
          selected={view}
          panelId={panelId}
          onSelect={setView}
        />
        <button type="button" class="quiet forget" onClick={forget}>
          Forget token
        </button>
      </div>
      <Panels key={data.resource.name} selected={view} session={session} data={data} />
    </div>
  );
}

interface PanelsProps {
  readonly selected: ViewName;
  readonly session: Session;
  readonly data: ExplorerData;
}

/** Both views of a resource: each is made when it is first shown, and stays as it is while the other one is shown. */
function Panels({ selected, session, data }: PanelsProps) {
  const seen = useRef(new Set<ViewName>());
  seen.current.add(selected);
  const views: Readonly<Record<ViewName, () => ComponentChildren>> = {
    records: () => <RecordsView session={session} data={data} />,
    live: () => <LiveView session={session} resource={data.resource} />,
  };
  return VIEWS.map((each) => (
    <div
      key={each}
      id={panelId(each)}
      role="tabpanel"
      aria-labelledby={tabId(panelId(each))}
      hidden={each !== selected}
    >
      {seen.current.has(each) ? views[each]() : null}
    </div>
  ));
}
