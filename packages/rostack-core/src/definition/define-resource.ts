import { type EventDescriptor, JSON_MEDIA_TYPE, type Resource } from '../discovery/resource-model.ts';
import type { Fault } from '../model/fault.ts';
import { FIELD_POINTER_PATTERN } from '../model/text.ts';
import { parsePointer } from '../pointer/pointer.ts';
import { TRANSITIONS } from '../record/change.ts';
import { SCHEMA_DIALECT } from '../release/release.ts';
import type { EventDeclaration, ResourceDeclaration } from './declaration.ts';
import { fieldTypes, idType, isAlwaysThere, operatorsFor } from './field-types.ts';
import { type ImplementationUrls, schemaUrl } from './implementation-urls.ts';
import type { ImplementedEvent, ImplementedResource } from './implemented-resource.ts';
import { type DeclarationPath, fault, NO_DATA_SCHEMA, type OwnedSchemas } from './owned-schemas.ts';

/** Shared by the resources of one implementation while they are defined. */
export interface DefinitionContext {
  readonly urls: ImplementationUrls;
  readonly owned: OwnedSchemas;
  readonly faults: Fault[];
}

export function defineResource(
  name: string,
  declaration: ResourceDeclaration,
  context: DefinitionContext,
): ImplementedResource {
  const path = ['resources', name];
  const { urls, owned } = context;
  const url = schemaUrl(urls, name);
  const schema = owned.add(url, declaration.model, [...path, 'model']);
  const field = (pointer: string, at: DeclarationPath) => typesOf(schema, pointer, at, context.faults);

  const idPointer = declaration.id ?? '/id';
  const idTypes = field(idPointer, [...path, 'id']);
  if (idTypes !== undefined && idType(schema, idPointer) === undefined) {
    const message = `${idPointer} must be a string and nothing else, or an integer and nothing else`;
    context.faults.push(fault([...path, 'id'], message));
  } else if (idTypes !== undefined && !isAlwaysThere(schema, idPointer)) {
    context.faults.push(fault([...path, 'id'], `${idPointer} must be required: every record has an id`));
  }

  const filterable = Object.entries(declaration.filterable ?? {}).map(([pointer, operators]) => {
    const types = field(pointer, [...path, 'filterable', pointer]);
    return [pointer, operators === 'all' ? operatorsFor(types ?? new Set()) : [...operators]] as const;
  });
  for (const [index, pointer] of (declaration.sortable ?? []).entries()) {
    const at = [...path, 'sortable', index];
    const types = field(pointer, at);
    if (types !== undefined && [...types].every((type) => type === 'array' || type === 'object')) {
      context.faults.push(
        fault(
          at,
          `${pointer} is an array or an object: these have no order; name a field that holds one value`,
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
      defineEvent({ name, url, schema }, eventName, event, context),
    ]),
  );
  const ofTransition = Object.groupBy(events.values(), ({ transition }) => transition);
  const eventFiltering =
    declaration.eventFiltering ?? TRANSITIONS.every((transition) => ofTransition[transition]?.length === 1);

  const descriptor: Resource = {
    name,
    ...(declaration.description === undefined ? {} : { description: declaration.description }),
    collection_url: declaration.collectionUrl ?? `${urls.jsonApi}/${name}`,
    item_url_template: declaration.itemUrlTemplate ?? `${urls.jsonApi}/${name}/{id}`,
    representations: [
      { media_type: JSON_MEDIA_TYPE, schema_url: url, schema_dialect: SCHEMA_DIALECT },
      ...(declaration.representations ?? []).map(({ mediaType, model, description }, index) => {
        const ownUrl = schemaUrl(urls, `${name}.${fileNameOf(mediaType)}`);
        owned.add(ownUrl, model, [...path, 'representations', index, 'model']);
        return {
          media_type: mediaType,
          schema_url: ownUrl,
          schema_dialect: SCHEMA_DIALECT,
          ...(description === undefined ? {} : { description }),
        };
      }),
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

/** With an underscore for the slash: names of events, whose schemas are in the same folder, have none. */
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
  if (types === undefined) faults.push(fault(at, `${pointer} is no field of the model`));
  return types;
}

function defineEvent(
  resource: { readonly name: string; readonly url: string; readonly schema: ImplementedResource['schema'] },
  name: string,
  declaration: EventDeclaration,
  { urls, owned }: DefinitionContext,
): ImplementedEvent {
  const { transition, description, carries = 'record', tombstone = transition === 'delete' } = declaration;
  const path = ['resources', resource.name, 'events', name, 'carries'];
  let url = resource.url;
  let { schema } = resource;
  if (carries === 'nothing') {
    url = schemaUrl(urls, 'no-data');
    schema = owned.add(url, NO_DATA_SCHEMA, path);
  } else if (carries !== 'record') {
    url = schemaUrl(urls, `${resource.name}.${name}`);
    schema = owned.add(url, carries.model, [...path, 'model']);
  }
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
    schema,
    carries: typeof carries === 'string' ? carries : 'projection',
    project: typeof carries === 'string' ? undefined : carries.project,
  };
}
