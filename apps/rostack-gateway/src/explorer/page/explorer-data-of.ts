import { parsePointer } from 'rostack-core';
import type {
  ImplementationDescription,
  ResourceDescription,
} from '../description/describe-implementation.ts';
import { foreignOrigins } from '../description/foreign-origins.ts';
import type { ExplorerData, ExplorerField, ExplorerResource } from '../explorer-data.ts';

/** What the script needs of the description, and no more. */
export function toExplorerData({ discovery, resources }: ImplementationDescription): ExplorerData {
  return {
    discoveryUrl: discovery.endpoints.discovery,
    trustedOrigins: foreignOrigins(discovery),
    methods: discovery.authentication.methods.map(({ type }) => type),
    maxPageSize: discovery.capabilities.max_page_size,
    resources: resources.map(toExplorerResource),
  };
}

function toExplorerResource({ resource, fields }: ResourceDescription): ExplorerResource {
  const { name, descriptor, idPath, events, eventFiltering } = resource;
  return {
    name,
    collectionUrl: descriptor.collection_url,
    itemUrlTemplate: descriptor.item_url_template,
    idPath,
    fields: fields.flatMap(({ pointer, ...field }): ExplorerField[] => {
      if (pointer === undefined) return [];
      const { path, types, format, values, operators, sortable, nested, description } = field;
      return [
        {
          pointer,
          tokens: parsePointer(pointer),
          path,
          types,
          format,
          values,
          operators,
          sortable,
          nested,
          description,
        },
      ];
    }),
    events: [...events.values()].map((event) => ({ name: event.name, transition: event.transition })),
    eventFiltering,
    readPermissions: descriptor.read_permissions,
    subscribePermissions: descriptor.subscribe_permissions,
  };
}
