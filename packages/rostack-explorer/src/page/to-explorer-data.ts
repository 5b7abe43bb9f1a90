import { parsePointer } from 'rostack-core';
import type {
  ImplementationDescription,
  ResourceDescription,
} from '../description/describe-implementation.ts';
import type { ExplorerData, ExplorerField, ExplorerResource } from '../description/explorer-data.ts';
import { askedOrigins } from '../description/origins.ts';

/** How the page of another server reaches the implementation. */
export interface RelayedAccess {
  /** Where the document was read. */
  readonly discoveryUrl: string;
  readonly relay: string;
}

/** The part of the description that the script needs on the page of a resource. */
export function toExplorerData(
  { discovery, resources }: ImplementationDescription,
  shown: ResourceDescription,
  access?: RelayedAccess,
): ExplorerData {
  return {
    discoveryUrl: access?.discoveryUrl ?? discovery.endpoints.discovery,
    origins: askedOrigins(discovery),
    relay: access?.relay,
    methods: discovery.authentication.methods.map(({ type }) => type),
    maxPageSize: discovery.capabilities.max_page_size,
    names: resources.map(({ descriptor }) => descriptor.name),
    resource: toExplorerResource(shown),
  };
}

function toExplorerResource({ descriptor, idPath, fields }: ResourceDescription): ExplorerResource {
  return {
    name: descriptor.name,
    collectionUrl: descriptor.collection_url,
    idPath,
    fields: fields.flatMap(({ pointer, ...field }): ExplorerField[] => {
      if (pointer === undefined) return [];
      const { path, types, format, values, operators, sortable, nested, description, maxLength } = field;
      const tokens = parsePointer(pointer);
      return [
        { pointer, tokens, path, types, format, values, operators, sortable, nested, description, maxLength },
      ];
    }),
    events: descriptor.events.map(({ name, state_transition: transition }) => ({ name, transition })),
    eventFiltering: descriptor.event_filtering ?? false,
  };
}
