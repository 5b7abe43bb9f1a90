import type { JsonObject } from 'rostack-core';
import type { ExplorerResource } from '../../description/explorer-data.ts';
import type { SortOrder } from './records-table.tsx';

/** A query of a collection. */
export interface RecordsQuery {
  readonly filter: JsonObject | undefined;
  readonly sort: SortOrder | undefined;
  readonly pageSize: number;
}

/** `sort` as the protocol writes it. */
export const sortText = ({ pointer, descending }: SortOrder): string => `${descending ? '-' : ''}${pointer}`;

/** The request whose answer the table shows; the filter is left readable. */
export function RequestLine({
  resource,
  query,
}: {
  readonly resource: ExplorerResource;
  readonly query: RecordsQuery;
}) {
  const parameters = [
    ...(query.filter === undefined ? [] : [`filter=${JSON.stringify(query.filter)}`]),
    ...(query.sort === undefined ? [] : [`sort=${sortText(query.sort)}`]),
    `limit=${query.pageSize}`,
  ];
  return (
    <p class="request">
      <code>
        <b>GET</b> {new URL(resource.collectionUrl).pathname}?{parameters.join('&')}
      </code>
    </p>
  );
}
