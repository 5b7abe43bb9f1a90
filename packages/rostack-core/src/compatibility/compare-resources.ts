import { formatPointer } from '../query/pointer/format-pointer.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import { createSchemaGraph, type SchemaGraph } from '../schema/graph/schema-graph.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import type { EventDescriptor, Resource } from '../wire/discovery/resource-model.ts';
import type { BreakingChange } from './breaking-change.ts';
import { compareSchemas } from './compare-schemas.ts';

/** A discovery document with every schema that it advertises, and every schema that they refer to, by URL. */
export interface DescribedImplementation {
  /** The parsed document, of either release. */
  readonly discovery: AnyDiscoveryDocument;
  /** By the URL that `schema_url` or a `$ref` gives, without fragment. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

interface Graphs {
  readonly before: SchemaGraph;
  readonly after: SchemaGraph;
}

/** The entries of a list by name. */
const byName = <T>(items: readonly T[], name: (item: T) => string): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [name(item), item]));

export function compareResources(
  before: DescribedImplementation,
  after: DescribedImplementation,
): BreakingChange[] {
  const graphs = { before: createSchemaGraph(before.schemas), after: createSchemaGraph(after.schemas) };
  const now = byName(after.discovery.resources, ({ name }) => name);
  return before.discovery.resources.flatMap((resource) => {
    const path = ['resources', resource.name];
    const other = now.get(resource.name);
    if (other === undefined) return [change('resource_removed', path, 'was a resource')];
    return [
      ...compareRepresentations(resource, other, path, graphs),
      ...compareEvents(resource, other, path, graphs),
      ...compareFiltering(resource, other, path),
      ...comparePermissions(resource, other, path),
    ];
  });
}

const change = (kind: BreakingChange['kind'], path: readonly string[], reason: string): BreakingChange => ({
  kind,
  path: formatPointer(path),
  reason,
});

function compareRepresentations(
  before: Resource,
  after: Resource,
  path: readonly string[],
  graphs: Graphs,
): BreakingChange[] {
  const now = byName(after.representations, ({ media_type }) => media_type);
  return before.representations.flatMap(({ media_type, schema_url }) => {
    const at = [...path, 'representations', media_type];
    const other = now.get(media_type);
    if (other === undefined) return [change('representation_removed', at, 'was a representation')];
    return compareData(schema_url, other.schema_url, at, graphs);
  });
}

function compareEvents(
  before: Resource,
  after: Resource,
  path: readonly string[],
  graphs: Graphs,
): BreakingChange[] {
  const now = byName(after.events, ({ name }) => name);
  const changes = before.events.flatMap((event) => {
    const at = [...path, 'events', event.name];
    const other = now.get(event.name);
    if (other === undefined) return [change('event_removed', at, 'was an event')];
    return [
      ...compareMeaning(event, other, at),
      ...compareData(event.schema_url, other.schema_url, at, graphs),
    ];
  });
  return before.event_filtering === true && after.event_filtering !== true
    ? [
        change('event_filtering_removed', [...path, 'event_filtering'], 'subscriptions could carry a filter'),
        ...changes,
      ]
    : changes;
}

function compareMeaning(
  before: EventDescriptor,
  after: EventDescriptor,
  at: readonly string[],
): BreakingChange[] {
  const changes: BreakingChange[] = [];
  if (before.state_transition !== after.state_transition) {
    const reason = `was ${before.state_transition}, is ${after.state_transition}`;
    changes.push(change('transition_changed', [...at, 'state_transition'], reason));
  }
  const [was, is] = [before.tombstone ?? false, after.tombstone ?? false];
  if (was !== is) changes.push(change('tombstone_changed', [...at, 'tombstone'], `was ${was}, is ${is}`));
  return changes;
}

function compareData(before: string, after: string, at: readonly string[], graphs: Graphs): BreakingChange[] {
  const left = graphs.before.root(before);
  const right = graphs.after.root(after);
  if (left !== undefined && right !== undefined) {
    return compareSchemas(
      { graph: graphs.before, root: left },
      { graph: graphs.after, root: right },
      formatPointer(at),
    );
  }
  const missing = left === undefined ? before : after;
  return [change('schema_missing', at, `${missing} was not given: the data cannot be compared`)];
}

function compareFiltering(before: Resource, after: Resource, path: readonly string[]): BreakingChange[] {
  const base = [...path, 'filtering'];
  const fields = new Map(Object.entries(after.filtering.filterable_fields));
  const filters = Object.entries(before.filtering.filterable_fields).flatMap(([pointer, operators]) => {
    const at = [...base, 'filterable_fields', pointer];
    const now = fields.get(pointer);
    if (now === undefined) return [change('filterable_field_removed', at, 'could be filtered')];
    return operators
      .filter((operator) => !now.includes(operator))
      .map((operator) =>
        change('filter_operator_removed', [...at, operator], 'was an operator of the field'),
      );
  });
  const sorts = before.filtering.sortable_fields
    .filter((pointer) => !after.filtering.sortable_fields.includes(pointer))
    .map((pointer) =>
      change(
        'sortable_field_removed',
        [...base, 'sortable_fields', pointer],
        'records could be sorted by it',
      ),
    );
  return [...filters, ...sorts];
}

function comparePermissions(before: Resource, after: Resource, path: readonly string[]): BreakingChange[] {
  return (['read_permissions', 'subscribe_permissions'] as const).flatMap((list) =>
    after[list]
      .filter((name) => !before[list].includes(name))
      .map((name) => change('permission_required', [...path, list, name], 'was not needed')),
  );
}
