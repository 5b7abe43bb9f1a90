import { COLLATIONS } from '../query/collation/collation.ts';
import type { FilterOperator } from '../query/filter/operator-names.ts';
import { parsePointer } from '../query/pointer/pointer.ts';
import { TRANSITIONS } from '../record/change.ts';
import type { RowRuleWithFields } from '../record/visibility/visibility.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import { type EventDescriptor, JSON_MEDIA_TYPE, type Resource } from '../wire/discovery/resource-model.ts';
import type { Fault } from '../wire/model/fault.ts';
import { FIELD_POINTER_PATTERN } from '../wire/model/text.ts';
import { SCHEMA_DIALECT } from '../wire/release/release.ts';
import type { EventDeclaration, ResourceDeclaration } from './declaration/declaration.ts';
import { type ImplementationUrls, schemaUrl } from './implementation-urls.ts';
import type { ImplementedEvent, ImplementedResource } from './implemented-resource.ts';
import {
  fieldCollation,
  fieldTypes,
  filterableTypes,
  idType,
  isAlwaysThere,
  operatorsFor,
} from './schema/field-types.ts';
import {
  createOwnedSchemas,
  type DeclarationPath,
  fault,
  NO_DATA_NAME,
  NO_DATA_SCHEMA,
  type OwnedSchemas,
} from './schema/owned-schemas.ts';
import { schemaWithoutFields } from './schema/schema-without-fields.ts';

/** Shared by the resources of one implementation while they are defined. */
export interface DefinitionContext {
  readonly urls: ImplementationUrls;
  readonly owned: OwnedSchemas;
  readonly faults: Fault[];
  /** Schemas of the stored records, for the resources that hide fields. */
  readonly stored: Map<string, JsonSchema>;
}

/** Adds the schemas of a resource: of its records, representations and events. */
export function addSchemas(name: string, declaration: ResourceDeclaration, context: DefinitionContext): void {
  const { representations = [], events = {} } = declaration;
  const { urls, owned } = context;
  const path = ['resources', name];
  addRecordSchema(name, declaration, context);
  for (const [index, { mediaType, model: shown }] of representations.entries()) {
    const url = representationUrl(urls, name, mediaType);
    owned.add(url, shown, [...path, 'representations', index, 'model']);
  }
  for (const [eventName, { carries = 'record' }] of Object.entries(events)) {
    const at = [...path, 'events', eventName, 'carries'];
    const url = eventUrl(urls, name, eventName, carries);
    if (carries === 'nothing') owned.add(url, NO_DATA_SCHEMA, at);
    else if (carries !== 'record') owned.add(url, carries.model, [...at, 'model']);
  }
}

/**
 * Adds the schema of the records as they are served, without hidden fields. If fields are hidden, the schema of the stored records is a
 * second one, which refers to no other document.
 */
function addRecordSchema(
  name: string,
  { model, hidden }: ResourceDeclaration,
  { urls, owned, stored, faults }: DefinitionContext,
): void {
  const path = ['resources', name];
  const at = [...path, 'model'];
  const url = schemaUrl(urls, name);
  const pointers = Object.keys(hidden ?? {});
  if (pointers.length === 0) return owned.add(url, model, at);
  const alone = createOwnedSchemas();
  alone.add(url, model, at);
  faults.push(...alone.finish());
  const schema = alone.bundle(url);
  stored.set(name, schema);
  const malformed = pointers.find((pointer) => !FIELD_POINTER_PATTERN.test(pointer));
  if (malformed !== undefined) {
    const message = 'must be a JSON Pointer that starts with "/"';
    faults.push(fault([...path, 'hidden', malformed], message));
    return owned.add(url, schema, at);
  }
  const rest = schemaWithoutFields(schema, pointers);
  if ('schema' in rest) return owned.add(url, rest.schema, at);
  faults.push(fault([...path, 'hidden', rest.pointer], rest.message));
  return owned.add(url, schema, at);
}

const representationUrl = (urls: ImplementationUrls, name: string, mediaType: string): string =>
  schemaUrl(urls, `${name}.${fileNameOf(mediaType)}`);

function eventUrl(
  urls: ImplementationUrls,
  name: string,
  eventName: string,
  carries: NonNullable<EventDeclaration['carries']>,
): string {
  if (carries === 'record') return schemaUrl(urls, name);
  return schemaUrl(urls, carries === 'nothing' ? NO_DATA_NAME : `${name}.${eventName}`);
}

/** Defines a resource whose schemas have been added. */
export function defineResource(
  name: string,
  declaration: ResourceDeclaration,
  context: DefinitionContext,
): ImplementedResource {
  const path = ['resources', name];
  const { urls, owned } = context;
  const url = schemaUrl(urls, name);
  const hidden = Object.entries(declaration.hidden ?? {}).map(([pointer, permissions]) => ({
    pointer,
    path: FIELD_POINTER_PATTERN.test(pointer) ? parsePointer(pointer) : [],
    permissions,
  }));
  const schema = context.stored.get(name) ?? owned.bundle(url);
  const field = (pointer: string, at: DeclarationPath) => typesOf(schema, pointer, at, context.faults);

  const idPointer = declaration.id ?? '/id';
  const idTypes = field(idPointer, [...path, 'id']);
  if (idTypes !== undefined && idType(schema, idPointer) === undefined) {
    const message = `${idPointer} must be a string and nothing else, or an integer and nothing else`;
    context.faults.push(fault([...path, 'id'], message));
  } else if (idTypes !== undefined && !isAlwaysThere(schema, idPointer)) {
    context.faults.push(fault([...path, 'id'], `${idPointer} must be required: every record has an id`));
  }
  for (const { pointer } of hidden) {
    if (idPointer !== pointer && !idPointer.startsWith(`${pointer}/`)) continue;
    context.faults.push(
      fault([...path, 'hidden', pointer], `${pointer} cannot be hidden: it contains the id`),
    );
  }

  const filterable = Object.entries(declaration.filterable ?? {}).map(
    ([pointer, operators]): [string, FilterOperator[]] => {
      const at = [...path, 'filterable', pointer];
      const isThere = field(pointer, at) !== undefined;
      const types = isThere ? filterableTypes(schema, pointer) : undefined;
      const able = operatorsFor(types ?? new Set());
      if (operators === 'all') return [pointer, able];
      const unable = operators.find(
        (operator) => types?.has('collated') === true && !able.includes(operator),
      );
      if (unable !== undefined) {
        const collation = fieldCollation(schema, pointer);
        const values = collation === undefined ? 'values' : COLLATIONS[collation].holds;
        const message = `${pointer} has ${values}: ${unable} is for strings; choose from ${able.join(', ')}`;
        context.faults.push(fault(at, message));
      }
      return [pointer, [...operators]] as const;
    },
  );
  for (const [index, pointer] of (declaration.sortable ?? []).entries()) {
    const at = [...path, 'sortable', index];
    const types = field(pointer, at);
    if (types !== undefined && [...types].every((type) => type === 'array' || type === 'object')) {
      context.faults.push(
        fault(
          at,
          `${pointer} is an array or an object: these have no order; name a field that has one value`,
        ),
      );
    }
  }

  const mediaTypes = new Set([JSON_MEDIA_TYPE]);
  for (const [index, { mediaType }] of (declaration.representations ?? []).entries()) {
    if (mediaTypes.has(mediaType.toLowerCase())) {
      const message = `${mediaType} is a representation already: leave one of them out`;
      context.faults.push(fault([...path, 'representations', index, 'mediaType'], message));
    }
    mediaTypes.add(mediaType.toLowerCase());
  }

  const events = new Map(
    Object.entries(declaration.events ?? {}).map(([eventName, event]) => [
      eventName,
      defineEvent(name, eventName, event, context),
    ]),
  );
  const ofTransition = Object.groupBy(events.values(), ({ transition }) => transition);
  const eventFiltering =
    declaration.eventFiltering ?? TRANSITIONS.every((transition) => ofTransition[transition]?.length === 1);

  if (declaration.visible !== undefined && events.size > 0 && !eventFiltering) {
    const message =
      'needs event filtering where there are events: declare exactly one event for each of create, update and delete';
    context.faults.push(fault([...path, 'visible'], message));
  }

  const visible = withFields(declaration.visible);
  for (const [index, { pointer }] of (visible?.fields ?? []).entries()) {
    field(pointer, [...path, 'visible', 'fields', index]);
  }

  const descriptor: Resource = {
    name,
    ...(declaration.description === undefined ? {} : { description: declaration.description }),
    collection_url: declaration.collectionUrl ?? `${urls.jsonApi}/${name}`,
    item_url_template: declaration.itemUrlTemplate ?? `${urls.jsonApi}/${name}/{id}`,
    representations: [
      { media_type: JSON_MEDIA_TYPE, schema_url: url, schema_dialect: SCHEMA_DIALECT },
      ...(declaration.representations ?? []).map(({ mediaType, description }) => ({
        media_type: mediaType,
        schema_url: representationUrl(urls, name, mediaType),
        schema_dialect: SCHEMA_DIALECT,
        ...(description === undefined ? {} : { description }),
      })),
    ],
    events: [...events.values()].map((event) => event.descriptor),
    event_filtering: eventFiltering,
    filtering: {
      filterable_fields: Object.fromEntries(filterable),
      sortable_fields: [...(declaration.sortable ?? [])],
    },
    read_permissions: [...declaration.readPermissions],
    subscribe_permissions: [...(declaration.subscribePermissions ?? declaration.readPermissions)],
  };

  return {
    name,
    descriptor,
    schemaUrl: url,
    schema,
    representations: descriptor.representations,
    visible: visible?.rule,
    visibleFields: visible?.fields ?? [],
    requires: Object.fromEntries(
      (declaration.representations ?? []).flatMap(({ mediaType, permissions = [] }) =>
        permissions.length === 0 ? [] : [[mediaType, permissions]],
      ),
    ),
    hidden,
    idPointer,
    idPath: FIELD_POINTER_PATTERN.test(idPointer) ? parsePointer(idPointer) : [],
    filtering: descriptor.filtering,
    eventFiltering,
    events,
    eventsByTransition: {
      create: ofTransition.create ?? [],
      update: ofTransition.update ?? [],
      delete: ofTransition.delete ?? [],
    },
  };
}

/** With an underscore for the slash. Event names, whose schemas are in the same folder, have no underscore. */
const fileNameOf = (mediaType: string): string => mediaType.toLowerCase().replaceAll(/[^a-z0-9.+-]/g, '_');

function typesOf(
  schema: ImplementedResource['schema'],
  pointer: string,
  at: DeclarationPath,
  faults: Fault[],
) {
  if (!FIELD_POINTER_PATTERN.test(pointer)) {
    faults.push(fault(at, `${JSON.stringify(pointer)} must be a JSON Pointer that starts with "/"`));
    return undefined;
  }
  const types = fieldTypes(schema, pointer);
  if (types === undefined) faults.push(fault(at, `${pointer} is not a field of the model`));
  return types;
}

function defineEvent(
  resource: string,
  name: string,
  declaration: EventDeclaration,
  { urls, owned }: DefinitionContext,
): ImplementedEvent {
  const { transition, description, carries = 'record', tombstone = transition === 'delete' } = declaration;
  const url = eventUrl(urls, resource, name, carries);
  const descriptor: EventDescriptor = {
    name,
    schema_url: url,
    schema_dialect: SCHEMA_DIALECT,
    ...(description === undefined ? {} : { description }),
    state_transition: transition,
    tombstone,
  };
  return {
    name,
    descriptor,
    transition,
    tombstone,
    schemaUrl: url,
    schema: owned.bundle(url),
    carries: typeof carries === 'string' ? carries : 'projection',
    project: typeof carries === 'string' ? undefined : carries.project,
  };
}

function withFields(visible: ResourceDeclaration['visible']): RowRuleWithFields | undefined {
  return typeof visible === 'function' ? { rule: visible, fields: [] } : visible;
}
