import {
  compileMapping,
  defineImplementation,
  type EventDeclaration,
  type ImplementationDeclaration,
  type ImplementationDefinition,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Projection,
  parseRowRule,
  schemaWithoutFields,
} from 'rostack-core';
import type { RecordRenderers } from 'rostack-server';
import type { GatewayConfig, ResourceConfig } from './gateway-config.ts';

/**
 * The implementation that a configuration describes, below `baseUrl` (without a slash at its end).
 * @throws DefinitionError `invalid_definition`
 */
export function defineConfigured(config: GatewayConfig, baseUrl: string): ImplementationDefinition {
  const { identity, protocol, authentication, limits, events, alternateVersions } = config;
  const declaration: ImplementationDeclaration = {
    ...identity,
    release: protocol.release,
    documentationUrl: config.documentationUrl ?? `${baseUrl}/`,
    baseUrl,
    authentication: {
      sharedToken: authentication.sharedTokens,
      discoveryPublic: authentication.discoveryPublic,
      ...(authentication.oauth2.length > 0 && {
        oauth2: authentication.oauth2.map(({ metadataUrl }) => ({ metadataUrl })),
      }),
    },
    permissions: config.permissions,
    limits: {
      maxPageSize: limits.maxPageSize,
      authenticationTimeoutMs: limits.authenticationTimeoutMs,
      heartbeatIntervalMs: limits.heartbeatIntervalMs,
      heartbeatTimeoutMs: limits.heartbeatTimeoutMs,
      reconnectMinDelayMs: limits.reconnectMinDelayMs,
      reconnectMaxDelayMs: limits.reconnectMaxDelayMs,
      discoveryRefreshAfterMs: limits.discoveryRefreshAfterMs,
    },
    eventEncodings: events.compactJson ? ['json', 'compact-json'] : ['json'],
    compression: events.compression,
    ...(alternateVersions.length > 0 && { alternateVersions }),
    schemas: config.schemas,
    resources: Object.fromEntries(
      Object.entries(config.resources).map(([name, resource]) => [name, declareResource(resource)]),
    ),
  };
  return defineImplementation(declaration);
}

function declareResource(resource: ResourceConfig): ImplementationDeclaration['resources'][string] {
  const { description, schema, subscribePermissions, eventFiltering, visible } = resource;
  return {
    model: schema,
    id: resource.id,
    readPermissions: resource.readPermissions,
    filterable: resource.filterable,
    sortable: resource.sortable,
    events: Object.fromEntries(
      Object.entries(resource.events).map(([name, event]) => [
        name,
        declareEvent(event, shownSchema(resource, [])),
      ]),
    ),
    hidden: resource.hidden,
    representations: Object.entries(resource.representations).map(
      ([mediaType, { schema: model, requires, description: forPeople }]) => ({
        mediaType,
        model: model ?? shownSchema(resource, requires),
        permissions: requires,
        ...(forPeople !== undefined && { description: forPeople }),
      }),
    ),
    ...(description !== undefined && { description }),
    ...(subscribePermissions !== undefined && { subscribePermissions }),
    ...(eventFiltering !== undefined && { eventFiltering }),
    ...(visible !== undefined && { visible: parseRowRule(visible) }),
  };
}

function declareEvent(event: ResourceConfig['events'][string], schema: JsonSchema): EventDeclaration {
  const { transition, description, carries, tombstone } = event;
  return {
    transition,
    carries: Array.isArray(carries)
      ? { model: pickSchema(schema, carries), project: pickMembers(carries) }
      : carries,
    ...(description !== undefined && { description }),
    ...(tombstone !== undefined && { tombstone }),
  };
}

function objectAt(schema: JsonSchema, keyword: string): JsonObject {
  const value = schema[keyword];
  return isObject(value) ? value : {};
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of the members that a record's schema declares at its root. */
export const declaredMembers = (schema: JsonSchema): readonly string[] =>
  Object.keys(objectAt(schema, 'properties'));

/** The schema of records that keep only these members. */
export function pickSchema(schema: JsonSchema, members: readonly string[]): JsonSchema {
  const properties = objectAt(schema, 'properties');
  const { required, $defs } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member, properties[member] ?? {}])),
    required: Array.isArray(required) ? required.filter((name) => members.includes(String(name))) : [],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/** Makes event data from these members of the record: as they are after the change, or before a delete. */
export const pickMembers =
  (members: readonly string[]): Projection['project'] =>
  ({ before, after }) => {
    const state = Object.entries(after ?? before ?? {});
    return Object.fromEntries(state.filter(([name]) => members.includes(name)));
  };

/** The functions that turn records into representations, by resource and media type. */
export function configuredRenderers({ resources }: GatewayConfig): RecordRenderers {
  return mapObject(resources, ({ representations }) =>
    mapObject(representations, ({ map }) => (map === undefined ? asItIs : compileMapping(map))),
  );
}

/** Returns the record itself: hidden fields are left out earlier. */
const asItIs = (record: JsonObject): JsonObject => record;

/** The fields hidden from principals that have only these permissions beyond those to read. */
export const hiddenPointers = ({ hidden }: Pick<ResourceConfig, 'hidden'>, permissions: readonly string[]) =>
  Object.entries(hidden).flatMap(([pointer, needed]) =>
    needed.every((name) => permissions.includes(name)) ? [] : [pointer],
  );

/** The schema of records as such principals see them. If a field cannot be left out, it is the whole schema: the definition reports why. */
export function shownSchema(resource: ResourceConfig, permissions: readonly string[]): JsonSchema {
  const shown = schemaWithoutFields(resource.schema, hiddenPointers(resource, permissions));
  return 'schema' in shown ? shown.schema : resource.schema;
}

const mapObject = <From, To>(members: Readonly<Record<string, From>>, change: (member: From) => To) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)] as const));
