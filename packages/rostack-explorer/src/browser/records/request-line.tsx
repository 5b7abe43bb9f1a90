import type { JsonObject } from 'rostack-core';
import { type ListedQuery, QUERY_CODE, queryParameters } from '../../description/code/query-code.ts';
import type { ExplorerData } from '../../description/explorer-data.ts';
import { copy } from '../resources/copy-buttons.ts';
import { asPageIsServed } from '../session/relay.ts';
import type { SortOrder } from './records-table.tsx';

/** A query of a collection. */
export interface RecordsQuery {
  readonly filter: JsonObject | undefined;
  readonly sort: SortOrder | undefined;
  readonly pageSize: number;
}

/** `sort` as the protocol writes it. */
export const sortText = ({ pointer, descending }: SortOrder): string => `${descending ? '-' : ''}${pointer}`;

/** The request whose answer the table shows, with buttons that copy it as code; the filter is left readable. */
export function RequestLine({ data, query }: { readonly data: ExplorerData; readonly query: RecordsQuery }) {
  const { collectionUrl } = data.resource;
  const asked = { ...query, sort: query.sort && sortText(query.sort) };
  const listed: ListedQuery = {
    ...asked,
    discoveryUrl: addressOf(data, data.discoveryUrl),
    collectionUrl: addressOf(data, collectionUrl),
    resource: data.resource.name,
    method: data.methods.includes('shared_token') ? 'shared_token' : 'oauth2',
    trustedOrigins: data.origins.slice(1),
  };
  const parameters = queryParameters(asked).map(([name, value]) => `${name}=${value}`);
  return (
    <div class="request">
      <code>
        <b>GET</b> {new URL(collectionUrl).pathname}?{parameters.join('&')}
      </code>
      <span class="copies">
        Copy as
        {Object.entries(QUERY_CODE).map(([language, write]) => (
          <button
            key={language}
            type="button"
            class="quiet"
            onClick={({ currentTarget }) => copy(currentTarget, write(listed))}
          >
            {language}
          </button>
        ))}
      </span>
    </div>
  );
}

const addressOf = ({ relay }: ExplorerData, url: string): string =>
  relay === undefined ? asPageIsServed(url) : url;
