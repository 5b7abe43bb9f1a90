import type { FilterOperator, ImplementedResource } from 'rostack-core';
import type { ResourceDefinition } from './resource-definition.ts';

/** A resource as `defineImplementation` of rostack-core returns it, reduced to what a store needs. */
export type StorableResource = Pick<
  ImplementedResource,
  'name' | 'schema' | 'idPointer' | 'events' | 'filtering' | 'visibleFields'
>;

/** What a store has to know about a resource of an implementation. Pages can also be filtered by the fields of its row rule. */
export function toResourceDefinition(resource: StorableResource): ResourceDefinition {
  const { name, schema, idPointer, events, filtering } = resource;
  return {
    name,
    schema,
    idPointer,
    events: [...events.values()].map((event) => ({ name: event.name, transition: event.transition })),
    filterableFields: withRuleFields(resource),
    sortableFields: filtering.sortable_fields,
  };
}

function withRuleFields({ filtering, visibleFields }: StorableResource) {
  const fields: Record<string, readonly FilterOperator[]> = { ...filtering.filterable_fields };
  for (const { pointer, operator } of visibleFields) {
    fields[pointer] = [...new Set([...(fields[pointer] ?? []), operator])];
  }
  return fields;
}
