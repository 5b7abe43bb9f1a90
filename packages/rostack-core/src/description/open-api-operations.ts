import { declaredErrors } from '../definition/declaration/default-errors.ts';
import type { JsonObject } from '../text/json.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import type { HttpOperation } from '../wire/discovery/errors-model.ts';
import type { Representation, Resource } from '../wire/discovery/resource-model.ts';
import {
  PROBLEM_MEDIA_TYPE,
  PROBLEM_TYPES,
  type ProblemSlug,
  problemSlug,
} from '../wire/problem/problem-types.ts';
import { PROTOCOL_VERSION } from '../wire/release/release.ts';
import { parseUriTemplate } from '../wire/uri-template/uri-template.ts';
import { closed, filterName } from './filter-schema.ts';
import { SCHEMA_COMPONENTS, type SchemaComponents } from './schema-components.ts';

export interface OperationContext {
  readonly discovery: AnyDiscoveryDocument;
  readonly components: SchemaComponents;
  readonly schemeNames: readonly string[];
}

/** A GET and its URL, in which `{id}` is a variable. */
export interface PlacedOperation {
  readonly url: string;
  readonly operation: JsonObject;
}

const component = (name: string): JsonObject => ({ $ref: `${SCHEMA_COMPONENTS}${name}` });

/** Reads the discovery document. */
export function discoveryOperation(context: OperationContext): PlacedOperation {
  const { endpoints, authentication } = context.discovery;
  const isPublic = authentication.discovery_public ?? true;
  const operation = {
    operationId: 'discover',
    summary: 'The discovery document',
    parameters: [IF_NONE_MATCH],
    responses: responsesOf(context, 'discovery', { 'application/json': { schema: component('discovery') } }),
    security: isPublic ? [] : securityOf(context, []),
  };
  return { url: endpoints.discovery, operation };
}

/** Lists the records of a resource. */
export function listOperation(context: OperationContext, resource: Resource): PlacedOperation {
  const { name, representations, events, read_permissions: permissions } = resource;
  const content = representations.map((representation) => {
    const items = { type: 'array', items: recordOf(context, representation) };
    return [representation.media_type, mediaTypeObject(representation, pageOf(items, events.length > 0))];
  });
  const operation = {
    operationId: `list_${name.replaceAll('-', '_')}`,
    summary: `Lists ${name}`,
    description: describeRead(
      resource,
      'One page of a consistent snapshot; `next_cursor` leads to the next one.',
    ),
    tags: [name],
    parameters: [...listParameters(context, resource), IF_NONE_MATCH],
    responses: responsesOf(context, 'list', Object.fromEntries(content)),
    security: securityOf(context, permissions),
  };
  return { url: resource.collection_url, operation };
}

/** Reads one record of a resource. */
export function itemOperation(context: OperationContext, resource: Resource): PlacedOperation {
  const { name, representations, read_permissions: permissions } = resource;
  const content = representations.map((representation) => [
    representation.media_type,
    mediaTypeObject(representation, recordOf(context, representation)),
  ]);
  const operation = {
    operationId: `get_${name.replaceAll('-', '_')}`,
    summary: `Reads one of ${name}`,
    description: describeRead(resource, 'The record as it is now.'),
    tags: [name],
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of the record, as text.',
        schema: { type: 'string', minLength: 1 },
      },
      FIELDS,
      IF_NONE_MATCH,
    ],
    responses: responsesOf(context, 'get', Object.fromEntries(content)),
    security: securityOf(context, permissions),
  };
  return { url: itemUrl(resource), operation };
}

/** The template with `{id}` as its only variable: the others are optional. */
function itemUrl({ item_url_template: template }: Resource): string {
  let marker = 'record-id';
  while (template.includes(marker)) marker += '-';
  return parseUriTemplate(template).expand({ id: marker }).replace(marker, '{id}');
}

const describeRead = ({ description, read_permissions: permissions }: Resource, what: string): string =>
  [...(description === undefined ? [] : [description]), `${what} Needs ${permissions.join(' and ')}.`].join(
    '\n\n',
  );

const FIELDS: JsonObject = {
  name: 'fields',
  in: 'query',
  description:
    'JSON Pointers (RFC 6901) of the fields to keep; the answer lacks the others, required ones too.',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', pattern: '^/' }, minItems: 1 },
};

const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of what the client has: the answer is 304 while it is the newest.',
  schema: { type: 'string' },
};

function listParameters(
  { discovery }: OperationContext,
  { name, filtering }: Resource,
): readonly JsonObject[] {
  const { max_page_size: maximum } = discovery.capabilities;
  const sortable = filtering.sortable_fields.flatMap((pointer) => [pointer, `-${pointer}`]);
  const filter = {
    name: 'filter',
    in: 'query',
    description: 'Which records: operators by JSON Pointer, as JSON text (protocol section 6).',
    content: { 'application/json': { schema: component(filterName(name)) } },
  };
  const sort = {
    name: 'sort',
    in: 'query',
    description: 'Fields in the order that they count; a minus in front for descending.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: sortable }, minItems: 1, uniqueItems: true },
  };
  return [
    ...(Object.keys(filtering.filterable_fields).length > 0 ? [filter] : []),
    ...(sortable.length > 0 ? [sort] : []),
    FIELDS,
    {
      name: 'limit',
      in: 'query',
      description: 'Records of one page at most.',
      schema: { type: 'integer', minimum: 1, maximum },
    },
    {
      name: 'cursor',
      in: 'query',
      description: '`next_cursor` of the page before, with the same other parameters.',
      schema: { type: 'string', minLength: 1 },
    },
  ];
}

function pageOf(items: JsonObject, hasEvents: boolean): JsonObject {
  const page = closed(
    {
      next_cursor: { type: ['string', 'null'], minLength: 1 },
      has_more: { type: 'boolean' },
      event_cursor: {
        type: 'string',
        minLength: 1,
        description: 'Subscribing from it after the last page leaves no gap.',
      },
    },
    ['next_cursor', 'has_more', ...(hasEvents ? ['event_cursor'] : [])],
  );
  return closed({ items, page }, ['items', 'page']);
}

const recordOf = ({ components }: OperationContext, { schema_url: url }: Representation): JsonObject =>
  components.referenceTo(url) ?? {};

/** Only media types of JSON have a schema. */
const mediaTypeObject = ({ media_type: mediaType }: Representation, schema: JsonObject): JsonObject =>
  /[/+]json$/i.test(mediaType) ? { schema } : {};

/** Any one of the methods is enough; each needs all permissions. */
const securityOf = (
  { schemeNames }: OperationContext,
  permissions: readonly string[],
): readonly JsonObject[] => schemeNames.map((name) => ({ [name]: permissions }));

const text = { type: 'string' };

/** 200, 304, and the problems that the document declares for the operation. */
function responsesOf(
  { discovery }: OperationContext,
  operation: HttpOperation,
  content: JsonObject,
): JsonObject {
  const { api_version: apiVersion } = discovery.implementation;
  const etag = { description: 'Of this answer.', schema: text };
  const headers = {
    ETag: etag,
    ...(operation !== 'discovery' && {
      'X-Rostack-Protocol-Version': {
        description: 'The protocol.',
        schema: { ...text, const: PROTOCOL_VERSION },
      },
      'X-Rostack-API-Version': {
        description: 'Another one than here: read discovery again.',
        required: true,
        schema: { ...text, const: apiVersion },
      },
    }),
  };
  const byStatus = new Map<number, ProblemSlug[]>();
  for (const { type, operations } of declaredErrors(discovery).http) {
    const slug = problemSlug(type);
    if (slug === undefined || !operations.includes(operation)) continue;
    const { status } = PROBLEM_TYPES[slug];
    byStatus.set(status, [...(byStatus.get(status) ?? []), slug]);
  }
  const problems = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, slugs]) => [
      String(status),
      {
        description: slugs.map((slug) => `${PROBLEM_TYPES[slug].title} (\`${slug}\`)`).join(', '),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: component('problem') } },
      },
    ]);
  return {
    '200': { description: 'What was asked for', headers, content },
    '304': { description: 'Not modified', headers: { ETag: etag } },
    ...Object.fromEntries(problems),
  };
}
