import { type Authentication, parseUriTemplate, type Resource } from 'rostack-core';
import { authorization, curlCommand, LINE_END, shellQuote } from './code/curl-command.ts';
import { queryParameters } from './code/query-code.ts';
import type { ExampleQuery } from './example-query.ts';

/** Commands for a POSIX shell in which `ROSTACK_TOKEN` holds a token. */
export interface CurlExamples {
  readonly list: string;
  /** `RECORD_ID` holds an id. */
  readonly get: string;
}

const ID_MARK = 'rostack-record-id';

/** How to list a resource, and how to get one record, with curl. */
export function curlExamples(
  { collection_url: collectionUrl, item_url_template: itemUrlTemplate }: Resource,
  query: ExampleQuery,
  authentication: Authentication,
): CurlExamples {
  const scheme = authentication.methods.some(({ type }) => type === 'shared_token')
    ? 'Rostack-Token'
    : 'Bearer';
  const itemUrl = parseUriTemplate(itemUrlTemplate).expand({ id: ID_MARK });
  const [before = '', after = ''] = itemUrl.split(ID_MARK);
  return {
    list: curlCommand(collectionUrl, scheme, queryParameters({ ...query, pageSize: 3 })),
    get: [
      `curl ${shellQuote(before)}"$RECORD_ID"${after === '' ? '' : shellQuote(after)}`,
      authorization(scheme),
    ].join(LINE_END),
  };
}
