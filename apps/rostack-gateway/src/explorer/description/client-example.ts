import { type DiscoveryDocument, type ImplementedResource, parsePointer } from 'rostack-core';
import type { ExampleQuery } from './example-query.ts';
import type { FieldDescription } from './field-description.ts';
import { foreignOrigins } from './foreign-origins.ts';
import { memberAccess, toJavaScript } from './java-script.ts';

const SHOWN_FIELDS = 2;

/** A program for Node that lists, gets and follows a resource by rostack-client; `ROSTACK_TOKEN` holds a token. */
export function clientExample(
  resource: ImplementedResource,
  fields: readonly FieldDescription[],
  query: ExampleQuery,
  discovery: DiscoveryDocument,
): string {
  const { endpoints, authentication } = discovery;
  const trusted = foreignOrigins(discovery);
  const name = toJavaScript(resource.name);
  const method = authentication.methods.some(({ type }) => type === 'shared_token')
    ? 'shared_token'
    : 'oauth2';
  const id = memberAccess('record', resource.idPath);
  return [
    "import { connect } from 'rostack-client';",
    '',
    `const client = await connect(${toJavaScript(endpoints.discovery)}, {`,
    `  method: '${method}',`,
    '  token: process.env.ROSTACK_TOKEN,',
    trusted.length === 0 ? '});' : `}, { trustedOrigins: ${toJavaScript([...trusted])} });`,
    '',
    '// Every record that matches, page by page in one consistent snapshot.',
    'let firstId;',
    `for await (const record of client.list(${name}${listOptions(query)})) {`,
    `  firstId ??= ${id};`,
    `  console.log(${[id, ...shownFields(resource, fields)].join(', ')});`,
    '}',
    '',
    '// One record, with the entity tag of its revision.',
    'if (firstId !== undefined) {',
    `  const item = await client.get(${name}, firstId);`,
    "  if (item.kind === 'found') console.log(item.etag, item.record);",
    '}',
    ...(resource.events.size === 0 ? ['', 'await client.close();'] : follow(resource, query)),
    '',
  ].join('\n');
}

function follow(resource: ImplementedResource, query: ExampleQuery): readonly string[] {
  const options = [
    ...(resource.eventFiltering && query.filter !== undefined
      ? [`  filter: ${toJavaScript(query.filter)},`]
      : []),
    ...(resource.idPointer === '/id'
      ? []
      : [`  recordId: (record) => ${memberAccess('record', resource.idPath)},`]),
  ];
  const call = `client.follow(${toJavaScript(resource.name)}`;
  return [
    '',
    '// The same records, and every change to them from then on, over whatever happens to the connection.',
    ...(options.length === 0
      ? [`for await (const change of ${call})) {`]
      : [`const follow = ${call}, {`, ...options, '});', 'for await (const change of follow) {']),
    "  if (change.kind === 'snapshot') console.log(change.records.size, 'records');",
    "  else if (change.kind === 'live') console.log('live');",
    '  else console.log(change.kind, change.id);',
    '}',
  ];
}

function listOptions({ filter, sort }: ExampleQuery): string {
  const lines = [
    ...(filter === undefined ? [] : [`  filter: ${toJavaScript(filter)},`]),
    ...(sort === undefined ? [] : [`  sort: [${toJavaScript(sort)}],`]),
  ];
  return lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`;
}

/** The first fields of any record that say something beside the id. */
function shownFields(
  { idPointer }: ImplementedResource,
  fields: readonly FieldDescription[],
): readonly string[] {
  return fields
    .filter(
      ({ pointer, depth, required, nested }) => pointer !== idPointer && depth === 0 && required && !nested,
    )
    .slice(0, SHOWN_FIELDS)
    .map(({ pointer = '' }) => memberAccess('record', parsePointer(pointer)));
}
