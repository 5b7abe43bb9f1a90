import type { JsonObject } from 'rostack-core';
import { curlCommand } from './curl-command.ts';
import { toJavaScript } from './java-script.ts';

/** What is listed, and of whom. */
export interface ListedQuery {
  readonly discoveryUrl: string;
  readonly collectionUrl: string;
  readonly resource: string;
  readonly method: 'shared_token' | 'oauth2';
  /** Origins other than that of the discovery document that the token is sent to. */
  readonly trustedOrigins: readonly string[];
  readonly filter: JsonObject | undefined;
  /** As the protocol writes it, such as `-/observed_at`. */
  readonly sort: string | undefined;
  readonly pageSize: number;
}

/** The languages that a query can be copied in, by their titles. */
export const QUERY_CODE: Readonly<Record<'curl' | 'TypeScript' | 'Python', (query: ListedQuery) => string>> =
  {
    curl: toCurl,
    TypeScript: toTypeScript,
    Python: toPython,
  };

const schemeOf = (method: ListedQuery['method']): string =>
  method === 'shared_token' ? 'Rostack-Token' : 'Bearer';

/** The parameters of the request, in the order of the protocol. */
export function queryParameters({
  filter,
  sort,
  pageSize,
}: Pick<ListedQuery, 'filter' | 'sort' | 'pageSize'>): readonly (readonly [name: string, value: string])[] {
  return [
    ...(filter === undefined ? [] : [['filter', JSON.stringify(filter)] as const]),
    ...(sort === undefined ? [] : [['sort', sort] as const]),
    ['limit', String(pageSize)],
  ];
}

function toCurl(query: ListedQuery): string {
  return `${curlCommand(query.collectionUrl, schemeOf(query.method), queryParameters(query))}\n`;
}

function toTypeScript(query: ListedQuery): string {
  const { discoveryUrl, resource, method, trustedOrigins, filter, sort, pageSize } = query;
  const members = [
    ...(trustedOrigins.length === 0 ? [] : [`trustedOrigins: ${toJavaScript([...trustedOrigins])}`]),
    ...(discoveryUrl.startsWith('http:') ? ['allowInsecureLoopback: true'] : []),
  ];
  const options = members.length === 0 ? '' : `, { ${members.join(', ')} }`;
  const list = [
    ...(filter === undefined ? [] : [`  filter: ${toJavaScript(filter)},`]),
    ...(sort === undefined ? [] : [`  sort: [${toJavaScript(sort)}],`]),
    `  pageSize: ${pageSize},`,
  ];
  return `import { connect } from 'rostack-client';

const credential = { method: '${method}', token: process.env['ROSTACK_TOKEN'] ?? '' } as const;
const client = await connect(${toJavaScript(discoveryUrl)}, credential${options});
const records = client.list(${toJavaScript(resource)}, {
${list.join('\n')}
});
for await (const record of records) console.log(record);
await client.close();
`;
}

/** Python's text literals have all that JSON's have. */
const text = (value: string): string => JSON.stringify(value);

function toPython(query: ListedQuery): string {
  const parameters = queryParameters(query).map(([name, value]) => `    ${text(name)}: ${text(value)},\n`);
  return `import json, os, urllib.parse, urllib.request

query = {
${parameters.join('')}}
request = urllib.request.Request(
    ${text(`${query.collectionUrl}?`)} + urllib.parse.urlencode(query),
    headers={"Authorization": "${schemeOf(query.method)} " + os.environ["ROSTACK_TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    for record in json.load(response)["items"]:
        print(record)
`;
}
