import { type AnyDiscoveryDocument, parsePointer, type Resource } from 'rostack-core';
import { memberAccess, toJavaScript } from './code/java-script.ts';
import type { FieldDescription } from './describe-fields.ts';
import type { ExampleQuery } from './example-query.ts';

const SHOWN_FIELDS = 2;

/** A resource with its fields. */
export interface DescribedResource {
  readonly descriptor: Resource;
  readonly idPointer: string;
  /** The id pointer as reference tokens. */
  readonly idPath: readonly string[];
  readonly fields: readonly FieldDescription[];
}

/**
 * A program for Node that lists, gets and follows a resource with rostack-client; `ROSTACK_TOKEN` holds a token. The last argument is what
 * `askedOrigins` gives.
 */
export function clientExample(
  resource: DescribedResource,
  query: ExampleQuery,
  discovery: AnyDiscoveryDocument,
  [, ...trusted]: readonly string[],
): string {
  const { endpoints, authentication } = discovery;
  const { descriptor } = resource;
  const name = toJavaScript(descriptor.name);
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
    trusted.length === 0 ? '});' : `}, { trustedOrigins: ${toJavaScript(trusted)} });`,
    '',
    '// Every record that matches, page by page in one consistent snapshot.',
    'let firstId;',
    `for await (const record of client.list(${name}${listOptions(query)})) {`,
    `  firstId ??= ${id};`,
    `  console.log(${[id, ...shownFields(resource)].join(', ')});`,
    '}',
    '',
    '// One record, with the entity tag of its revision.',
    'if (firstId !== undefined) {',
    `  const item = await client.get(${name}, firstId);`,
    "  if (item.kind === 'found') console.log(item.etag, item.record);",
    '}',
    ...(descriptor.events.length === 0 ? ['', 'await client.close();'] : follow(resource, query)),
    '',
  ].join('\n');
}

function follow(
  { descriptor, idPointer, idPath }: DescribedResource,
  query: ExampleQuery,
): readonly string[] {
  const options = [
    ...(descriptor.event_filtering && query.filter !== undefined
      ? [`  filter: ${toJavaScript(query.filter)},`]
      : []),
    ...(idPointer === '/id' ? [] : [`  recordId: (record) => ${memberAccess('record', idPath)},`]),
  ];
  const call = `client.follow(${toJavaScript(descriptor.name)}`;
  return [
    '',
    '// The same records, and every change to them from then on, over every break of the connection.',
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

/** The first fields that every record has, besides the id. */
function shownFields({ idPointer, fields }: DescribedResource): readonly string[] {
  return fields
    .filter(
      ({ pointer, depth, required, nested }) => pointer !== idPointer && depth === 0 && required && !nested,
    )
    .slice(0, SHOWN_FIELDS)
    .map(({ pointer = '' }) => memberAccess('record', parsePointer(pointer)));
}
