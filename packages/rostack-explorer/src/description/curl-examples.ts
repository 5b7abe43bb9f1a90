import { type Authentication, parseUriTemplate, type Resource } from 'rostack-core';
import type { ExampleQuery } from './example-query.ts';

/** Commands for a POSIX shell in which `ROSTACK_TOKEN` holds a token. */
export interface CurlExamples {
  readonly list: string;
  /** `RECORD_ID` holds an id. */
  readonly get: string;
}

const LINE_END = ' \\\n  ';
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
  const authorization = `-H "Authorization: ${scheme} $ROSTACK_TOKEN"`;
  const parameter = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`--data-urlencode ${shellQuote(`${name}=${value}`)}`];
  const itemUrl = parseUriTemplate(itemUrlTemplate).expand({ id: ID_MARK });
  const [before = '', after = ''] = itemUrl.split(ID_MARK);
  return {
    list: [
      `curl --get ${shellQuote(collectionUrl)}`,
      authorization,
      ...parameter('filter', query.filter && JSON.stringify(query.filter)),
      ...parameter('sort', query.sort),
      ...parameter('limit', '3'),
    ].join(LINE_END),
    get: [
      `curl ${shellQuote(before)}"$RECORD_ID"${after === '' ? '' : shellQuote(after)}`,
      authorization,
    ].join(LINE_END),
  };
}

/** The text as one word of a POSIX shell; it may contain any characters. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
