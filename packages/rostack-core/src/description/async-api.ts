import { declaredErrors } from '../definition/declaration/default-errors.ts';
import { type AnySchema, isObject, type JsonSchema } from '../schema/graph/json-schema.ts';
import { SCHEMA_ID_BASES } from '../schema/schema-id-bases.ts';
import type { JsonObject } from '../text/json.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import { detectRelease } from '../wire/discovery/parse-discovery.ts';
import type { EventDescriptor, Resource } from '../wire/discovery/resource-model.ts';
import { EVENT_ENCODINGS } from '../wire/message/shared-models.ts';
import { PROTOCOL_VERSION, SUBPROTOCOL } from '../wire/release/release.ts';
import { releaseSchemas } from '../wire/zod/models.ts';
import { componentNames } from './component-names.ts';
import { filterComponents, filterName } from './filter-schema.ts';
import { SCHEMA_COMPONENTS, type SchemaComponents, schemaComponents } from './schema-components.ts';

const MESSAGES = 'websocket-message';
const CHANNEL = 'gateway';
/** Which side sends a message: operations are those of the implementation. */
const SENT_BY = {
  client: ['authenticate', 'unsubscribe', 'ping', 'pong'],
  server: ['authenticated', 'subscribed', 'replay_complete', 'error', 'go_away', 'ping', 'pong'],
} as const;
/** The reply to a client's message, other than an error. */
const REPLIES: Readonly<Record<string, string>> = { authenticate: 'authenticated', ping: 'pong' };

/**
 * The WebSocket gateway of an implementation as an AsyncAPI 3 document: the messages of both sides, `subscribe` of each resource with
 * its filters, and each event with its data. Operations are those of the implementation: it receives what clients send.
 * @param schemas by URL: those that discovery advertises, and all that they refer to
 * @see protocol section 7; AsyncAPI 3.0.0
 */
export function asyncApiOf(
  discovery: AnyDiscoveryDocument,
  schemas: ReadonlyMap<string, JsonSchema>,
): JsonObject {
  const { implementation, endpoints, authentication, resources } = discovery;
  const release = detectRelease(discovery);
  const url = `${SCHEMA_ID_BASES[release]}${MESSAGES}.schema.json`;
  const protocol = releaseSchemas(release).get(`${MESSAGES}.schema.json`) ?? {};
  const filters = filterComponents(discovery, schemas);
  const names = componentNames(discovery, schemas.keys(), [MESSAGES, ...Object.keys(filters)]);
  const components = schemaComponents(
    new Map([...schemas, [url, protocol]]),
    new Map([...names, [url, MESSAGES]]),
    Object.keys(filters),
  );
  const definition = (name: string): JsonObject => components.referenceTo(url, name) ?? {};
  const shapes = {
    subscribe: shapeOf(components.schemaOf(url, 'subscribe')),
    event: shapeOf(components.schemaOf(url, 'event')),
  };
  const subscribable = resources.filter(({ events }) => events.length > 0);
  const subscribes = subscribable.map((resource) => subscribeMessage(resource, shapes.subscribe));
  const events = subscribable.flatMap((resource) =>
    resource.events.map((event) => eventMessage(resource, event, shapes.event, components)),
  );
  const plain = [...new Set([...SENT_BY.client, ...SENT_BY.server])].map((name) =>
    message(name, { payload: definition(name), ...(name === 'error' && { summary: errorsOf(discovery) }) }),
  );
  const compact = message('compact-event', {
    summary: 'Any event, in the encoding compact-json',
    payload: definition('compact-event'),
  });
  const isCompact = discovery.capabilities.websocket.event_encodings.some(
    (one) => one !== EVENT_ENCODINGS[0],
  );
  const messages = [...plain, ...subscribes, ...events, ...(isCompact ? [compact] : [])];
  const [, host = '', pathname = ''] = /^wss:\/\/([^/?#]+)([^#]*)/.exec(endpoints.websocket) ?? [];
  const methods = [...new Set(authentication.methods.map(({ type }) => type))].join(', ');
  return {
    asyncapi: '3.0.0',
    info: {
      title: implementation.name,
      version: implementation.api_version,
      description: `The WebSocket gateway of ${implementation.id}, by ${PROTOCOL_VERSION}.`,
      ...(implementation.documentation_url !== undefined && {
        externalDocs: { url: implementation.documentation_url },
      }),
    },
    defaultContentType: 'application/json',
    servers: {
      [CHANNEL]: {
        host,
        protocol: 'wss',
        description: `Credentials (${methods}) go in the message \`authenticate\`.`,
      },
    },
    channels: {
      [CHANNEL]: {
        address: pathname || '/',
        servers: [{ $ref: `#/servers/${CHANNEL}` }],
        messages: Object.fromEntries(messages.map(({ name }) => [name, messageReference(name)])),
        bindings: {
          ws: {
            method: 'GET',
            headers: {
              type: 'object',
              properties: { 'Sec-WebSocket-Protocol': { type: 'string', const: SUBPROTOCOL } },
              required: ['Sec-WebSocket-Protocol'],
            },
            bindingVersion: '0.1.0',
          },
        },
      },
    },
    operations: {
      ...Object.fromEntries(
        [...SENT_BY.client, ...subscribes.map(({ name }) => name)].map((name) => [
          `receive.${name}`,
          operation('receive', name, name.startsWith('subscribe.') ? 'subscribed' : REPLIES[name]),
        ]),
      ),
      ...Object.fromEntries(
        [...SENT_BY.server, ...events.map(({ name }) => name), ...(isCompact ? [compact.name] : [])].map(
          (name) => [`send.${name}`, operation('send', name, undefined)],
        ),
      ),
    },
    components: {
      schemas: { ...components.schemas, ...filters },
      messages: Object.fromEntries(messages.map(({ name, value }) => [name, value])),
    },
  };
}

interface NamedMessage {
  readonly name: string;
  readonly value: JsonObject;
}

const message = (name: string, members: JsonObject): NamedMessage => ({
  name,
  value: { name, ...members },
});

const messageReference = (name: string): JsonObject => ({ $ref: `#/components/messages/${name}` });

const onChannel = (name: string): JsonObject => ({ $ref: `#/channels/${CHANNEL}/messages/${name}` });

const operation = (action: 'send' | 'receive', name: string, reply: string | undefined): JsonObject => ({
  action,
  channel: { $ref: `#/channels/${CHANNEL}` },
  messages: [onChannel(name)],
  ...(reply !== undefined && {
    reply: { channel: { $ref: `#/channels/${CHANNEL}` }, messages: [onChannel(reply), onChannel('error')] },
  }),
});

/** The members of a protocol message, with references that lead to the components. */
function shapeOf(schema: AnySchema | undefined): Shape {
  const { properties, ...rest } = isObject(schema) ? schema : {};
  return { properties: isObject(properties) ? properties : {}, rest };
}

interface Shape {
  readonly properties: JsonObject;
  readonly rest: JsonObject;
}
function subscribeMessage(resource: Resource, { properties, rest }: Shape): NamedMessage {
  const { name, events, event_filtering: takesFilter, subscribe_permissions: permissions } = resource;
  const { filter: _, ...others } = properties;
  const isFilterable = takesFilter === true && Object.keys(resource.filtering.filterable_fields).length > 0;
  const types = { type: 'array', items: { type: 'string', enum: events.map((event) => event.name) } };
  const needs = permissions.length > 0 ? `needs ${permissions.join(' and ')}` : 'any principal may';
  return message(`subscribe.${name}`, {
    summary: `Asks for events of ${name}: ${needs}`,
    payload: {
      ...rest,
      properties: {
        ...others,
        resource: { type: 'string', const: name },
        event_types: { ...types, minItems: 1, uniqueItems: true },
        ...(isFilterable && { filter: { $ref: `${SCHEMA_COMPONENTS}${filterName(name)}` } }),
        cursor: {
          type: 'string',
          minLength: 1,
          description: 'Where to go on: `event_cursor` of a list, or that of an event.',
        },
      },
    },
  });
}

function eventMessage(
  { name: resource }: Resource,
  { name, description, schema_url: url, state_transition: transition }: EventDescriptor,
  { properties, rest }: Shape,
  components: SchemaComponents,
): NamedMessage {
  return message(`event.${resource}.${name}`, {
    title: name,
    summary: description ?? `A ${transition} of ${resource}`,
    payload: {
      ...rest,
      properties: {
        ...properties,
        event_type: { type: 'string', const: name },
        data: components.referenceTo(url) ?? {},
      },
    },
  });
}

const errorsOf = (discovery: AnyDiscoveryDocument): string =>
  `One of ${declaredErrors(discovery)
    .websocket.map(({ code }) => code)
    .join(', ')}`;
