import {
  bundleSchema,
  checkMapping,
  checkRowRule,
  type DefinitionError,
  type FilterError,
  hasCode,
  type ImplementationDefinition,
  type ImplementedResource,
  parsePointer,
  parseRowRule,
} from 'rostack-core';
import {
  type AttachRefusedError,
  checkResourceDefinition,
  checkTableSource,
  type StoreOptionsError,
  storeUrlFault,
  toResourceDefinition,
} from 'rostack-store';

import { type ConfigMistake, formatPath } from './config-error.ts';
import type { PathSegment } from './config-schema.ts';
import {
  declaredMembers,
  defineConfigured,
  hiddenPointers,
  shownSchema,
  writtenSchema,
} from './configured-implementation.ts';
import type { GatewayConfig, ResourceConfig } from './gateway-config.ts';
import { nearestName } from './nearest-name.ts';

/** Everything that the implementation's own rules find wrong with a configuration. */
export function definitionMistakes(config: GatewayConfig, baseUrl: string): readonly ConfigMistake[] {
  const unreadable = storeUrlMistakes(config);
  if (unreadable.length > 0) return unreadable;
  const unfound = innerReferenceMistakes(config);
  if (unfound.length > 0) return unfound;
  const unruly = rowRuleMistakes(config);
  if (unruly.length > 0) return unruly;
  try {
    return storeMistakes(config, defineConfigured(config, baseUrl));
  } catch (error) {
    if (!hasCode<DefinitionError>(error, 'invalid_definition')) throw error;
    return error.faults.map((fault) => {
      const path = configPath(parsePointer(fault.path), config);
      return { path, message: `${formatPath(path)}: ${advise(fault.message, path, config)}.` };
    });
  }
}

/** URLs of the store that it could not read, without any part of them: they may hold a password. */
function storeUrlMistakes({ store: { url, directUrl } }: GatewayConfig): readonly ConfigMistake[] {
  const urls = { url, direct_url: directUrl };
  return Object.entries(urls).flatMap(([member, value]) => {
    const fault = value === undefined ? undefined : storeUrlFault(value);
    return fault === undefined ? [] : [{ path: ['store', member], message: `store.${member}: ${fault}.` }];
  });
}

/** What the store would refuse in the resources and in the tables that feed them. */
function storeMistakes(
  { resources: written }: GatewayConfig,
  { resources, schemas }: ImplementationDefinition,
): readonly ConfigMistake[] {
  return Object.values(resources).flatMap((resource) => {
    const { name } = resource;
    const definition = toResourceDefinition(resource);
    const source = written[name]?.source;
    const refused = refusal(name, ['schema'], () => checkResourceDefinition(definition));
    if (refused.length > 0) return refused;
    const { compositeIndexes = [] } = written[name] ?? {};
    return [
      ...(compositeIndexes.length === 0
        ? []
        : refusal(name, ['composite_indexes'], () => checkResourceDefinition(definition, compositeIndexes))),
      ...(source === undefined ? [] : refusal(name, ['source'], () => checkTableSource(source, definition))),
      ...representationMistakes(resource, schemas, written[name]),
    ];
  });
}

/** Row rules that are not valid filters, or that use fields which the schema does not have. */
function rowRuleMistakes(config: GatewayConfig): readonly ConfigMistake[] {
  return Object.entries(config.resources).flatMap(([name, { visible }]) => {
    if (visible === undefined) return [];
    const mistake = (pointer: string, message: string): ConfigMistake => {
      const path = ['resources', name, 'visible', ...parsePointer(pointer)];
      return { path, message: `${formatPath(path)}: ${message}.` };
    };
    try {
      const schema = writtenSchema(config, name);
      return checkRowRule(parseRowRule(visible), schema).map(({ path, message }) => mistake(path, message));
    } catch (error) {
      if (!hasCode<FilterError>(error, 'invalid_filter', 'unsupported_filter')) throw error;
      return [mistake(error.location, error.message.replace(`${JSON.stringify(error.location)}: `, ''))];
    }
  });
}

/** Representations whose schema no validator accepts, and mappings that do not fit it. */
function representationMistakes(
  { name, schema: stored, representations, idPointer }: ImplementedResource,
  schemas: ImplementationDefinition['schemas'],
  written: ResourceConfig | undefined,
): readonly ConfigMistake[] {
  return Object.entries(written?.representations ?? {}).flatMap(([mediaType, { map, requires }]) => {
    if (written === undefined || map === undefined) return [];
    const unseen = hiddenMistakes(name, mediaType, written);
    if (unseen.length > 0) return unseen;
    const hides = Object.keys(written.hidden).length > 0;
    const record = hides ? shownSchema(written, requires) : stored;
    const path = ['representations', mediaType];
    const url = representations.find(({ media_type }) => media_type === mediaType)?.schema_url ?? '';
    const schema = bundleSchema(url, schemas);
    const refused = refusal(name, [...path, 'schema'], () =>
      checkResourceDefinition({ name, schema, idPointer }),
    );
    if (refused.length > 0) return refused;
    return checkMapping(map, { record, representation: schema }).map((fault) => {
      const at = ['resources', name, ...path, 'map', ...parsePointer(fault.path)];
      return { path: at, message: `${formatPath(at)}: ${fault.message}.` };
    });
  });
}

/** Mapped values that come from a field hidden from the representation. */
function hiddenMistakes(name: string, mediaType: string, resource: ResourceConfig): readonly ConfigMistake[] {
  const { map = {}, requires = [] } = resource.representations[mediaType] ?? {};
  const hidden = hiddenPointers(resource, requires);
  return Object.entries(map).flatMap(([target, value]) => {
    const from = 'from' in value ? value.from : undefined;
    const field = hidden.find((pointer) => from === pointer || from?.startsWith(`${pointer}/`));
    if (field === undefined) return [];
    const path = ['resources', name, 'representations', mediaType, 'map', target, 'from'];
    const needed = resource.hidden[field] ?? [];
    return [
      {
        path,
        message: `${formatPath(path)}: ${field} is hidden from the representation; write requires: [${needed.join(', ')}], or another field.`,
      },
    ];
  });
}

function refusal(resource: string, member: readonly string[], check: () => void): readonly ConfigMistake[] {
  try {
    check();
    return [];
  } catch (error) {
    if (
      !(
        hasCode<StoreOptionsError>(error, 'store_options_invalid') ||
        hasCode<AttachRefusedError>(error, 'attach_refused')
      )
    )
      throw error;
    const path = ['resources', resource, ...member];
    return [{ path, message: `${formatPath(path)}: ${error.message.replace(`${resource}: `, '')}.` }];
  }
}

/** What to write instead, for faults that core words for any kind of document. */
const ADVICE: readonly (readonly [fault: RegExp, advice: string])[] = [
  [
    /^needs event filtering where there are events: /,
    'write these events, and no event_filtering or event_filtering: true',
  ],
  [/^needs exactly one event /, 'declare one event for each of create, update and delete, or write false'],
  [
    / must lead to one of the schemas that are given: /,
    'refer to one of these, pass it in schemas, or write it into this one, under $defs',
  ],
];

/** Rewords a fault: core speaks of models and discovery documents, but people wrote schemas and a configuration. */
function advise(message: string, path: readonly PathSegment[], { resources }: GatewayConfig): string {
  const [, name = '', member] = path;
  const advice =
    ADVICE.find(([fault]) => fault.test(message))?.[1] ??
    (member === 'id' && / must be /.test(message)
      ? 'write the pointer of such a field, or correct the schema'
      : undefined);
  if (advice !== undefined) return `${message}; ${advice}`;
  const schema = resources[String(name)]?.schema ?? {};
  const fields = declaredMembers(schema).map((member) => `/${member}`);
  return message.replace(
    'is not a field of the model',
    `is not a field of the schema; write one, such as ${fields.join(', ')}`,
  );
}

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const IDENTITY = new Set(['id', 'name', 'apiVersion']);
const PUBLIC_URL = new Set(['baseUrl', 'urls']);
const LISTS = new Set(['sortable', 'read_permissions', 'subscribe_permissions', 'alternate_versions']);

/** The path in the configuration that a path in the declaration comes from. */
function configPath([first = '', ...rest]: readonly string[], { resources }: GatewayConfig): PathSegment[] {
  if (IDENTITY.has(first)) return ['identity', toSnakeCase(first)];
  if (PUBLIC_URL.has(first)) return ['public_url'];
  if (first === 'permissions') return [first, ...rest];
  const [name, member, ...below] = rest;
  if (first !== 'resources' || name === undefined) return [toSnakeCase(first), ...rest.map(toSnakeCase)];
  if (member === undefined) return [first, name];
  if (member === 'model') return [first, name, 'schema'];
  if (member === 'representations') {
    const mediaType = Object.keys(resources[name]?.representations ?? {})[Number(below[0])] ?? '';
    return [first, name, member, mediaType, ...(below[1] === 'model' ? ['schema'] : [])];
  }
  const own = toSnakeCase(member);
  return [first, name, own, ...below.map((segment) => (LISTS.has(own) ? Number(segment) : segment))];
}

/** Names that refer to something in the configuration that does not exist. */
export function innerReferenceMistakes({ permissions, resources }: GatewayConfig): readonly ConfigMistake[] {
  const permissionNames = Object.keys(permissions);
  return Object.entries(resources).flatMap(([name, resource]) => [
    ...unknownNames(resource.readPermissions, permissionNames, {
      path: ['resources', name, 'read_permissions'],
      place: 'permissions',
    }),
    ...unknownNames(resource.subscribePermissions ?? [], permissionNames, {
      path: ['resources', name, 'subscribe_permissions'],
      place: 'permissions',
    }),
    ...Object.entries(resource.hidden).flatMap(([pointer, needed]) =>
      unknownNames(needed, permissionNames, {
        path: ['resources', name, 'hidden', pointer],
        place: 'permissions',
      }),
    ),
    ...Object.entries(resource.representations).flatMap(([mediaType, { requires }]) =>
      unknownNames(requires, permissionNames, {
        path: ['resources', name, 'representations', mediaType, 'requires'],
        place: 'permissions',
      }),
    ),
    ...carriedMistakes(name, resource),
  ]);
}

function carriedMistakes(name: string, resource: ResourceConfig): readonly ConfigMistake[] {
  return Object.entries(resource.events).flatMap(([event, { carries }]) =>
    unknownNames(Array.isArray(carries) ? carries : [], declaredMembers(shownSchema(resource, [])), {
      path: ['resources', name, 'events', event, 'carries'],
      place: Object.keys(resource.hidden).length === 0 ? 'the schema' : 'the schema without hidden fields',
    }),
  );
}

function unknownNames(
  used: readonly string[],
  known: readonly string[],
  { path, place }: { readonly path: readonly PathSegment[]; readonly place: string },
): readonly ConfigMistake[] {
  return used.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const full = [...path, index];
    const nearest = nearestName(name, known);
    const advice = nearest === undefined ? `write one of ${known.join(', ')}.` : `did you mean ${nearest}?`;
    return [
      {
        path: full,
        message: `${formatPath(full)} is ${JSON.stringify(name)}, which ${place} does not have; ${advice}`,
      },
    ];
  });
}
