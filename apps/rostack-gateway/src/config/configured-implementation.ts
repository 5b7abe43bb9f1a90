import {
  defineImplementation,
  type EventDeclaration,
  type ImplementationDeclaration,
  type ImplementationDefinition,
  type JsonSchema,
} from 'rostack-core';
import { pickMembers, pickSchema } from './carried-members.ts';
import type { GatewayConfig, ResourceConfig } from './gateway-config.ts';

/** The implementation that a configuration describes, below `baseUrl` (without a slash at its end). @throws DefinitionError `invalid_definition` */
export function defineConfigured(config: GatewayConfig, baseUrl: string): ImplementationDefinition {
  const { identity, authentication, limits, events, alternateVersions } = config;
  const declaration: ImplementationDeclaration = {
    ...identity,
    documentationUrl: config.documentationUrl ?? `${baseUrl}/`,
    baseUrl,
    authentication: {
      sharedToken: authentication.sharedTokens,
      discoveryPublic: authentication.discoveryPublic,
      ...(authentication.oauth2 && { oauth2: { metadataUrl: authentication.oauth2.metadataUrl } }),
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
    resources: Object.fromEntries(
      Object.entries(config.resources).map(([name, resource]) => [name, declareResource(resource)]),
    ),
  };
  return defineImplementation(declaration);
}

function declareResource(resource: ResourceConfig): ImplementationDeclaration['resources'][string] {
  const { description, schema, subscribePermissions, eventFiltering } = resource;
  return {
    model: schema,
    id: resource.id,
    readPermissions: resource.readPermissions,
    filterable: resource.filterable,
    sortable: resource.sortable,
    events: Object.fromEntries(
      Object.entries(resource.events).map(([name, event]) => [name, declareEvent(event, schema)]),
    ),
    ...(description !== undefined && { description }),
    ...(subscribePermissions !== undefined && { subscribePermissions }),
    ...(eventFiltering !== undefined && { eventFiltering }),
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
