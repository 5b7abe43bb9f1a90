import type { ViewName } from '../parts/views.ts';

/** What a link to the page asks for behind its `#`: nothing of it is sent to a server. */
export interface StartLink {
  readonly token: string | undefined;
  readonly view: ViewName | undefined;
  readonly resource: string | undefined;
}

/**
 * Reads the fragment, `#token=...&view=live&resource=orders`. A token is taken out of the address at once, so that it is in no
 * bookmark, in no screenshot, and in the history only as long as that.
 */
export function takeStartLink(location: Location, history: History): StartLink {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const token = parameters.get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return {
    token,
    view: parameters.get('view') === 'live' ? 'live' : undefined,
    resource: parameters.get('resource') ?? undefined,
  };
}
