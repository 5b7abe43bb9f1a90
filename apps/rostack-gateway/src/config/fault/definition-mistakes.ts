import {
  bundleSchema,
  checkMapping,
  checkRowRule,
  type DefinitionError,
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
  toResourceDefinition,
} from 'rostack-store';
import type { PathSegment } from '../model/config-schema.ts';
import {
  declaredMembers,
  defineConfigured,
  hiddenPointers,
  shownSchema,
} from '../model/configured-implementation.ts';
import type { GatewayConfig, ResourceConfig } from '../model/gateway-config.ts';
import { type ConfigMistake, formatPath } from './config-error.ts';
import { configPath } from './declared-path.ts';
import { nearestName } from './nearest-name.ts';

/** Everything that the implementation's own rules find wrong with a configuration. */
export function definitionMistakes(config: GatewayConfig, baseUrl: string): readonly ConfigMistake[] {
  const resources = Object.entries(config.resources);
  const uncarried = resources.flatMap(([name, resource]) => carriedMistakes(['resources', name], resource));
  if (uncarried.length > 0) return uncarried;
  try {
    const defined = defineConfigured(config, baseUrl);
    return resources.flatMap(([name, written]) => resourceMistakes(name, written, defined));
  } catch (error) {
    if (!hasCode<DefinitionError>(error, 'invalid_definition')) throw error;
    return error.faults.map(({ path, message }) => advised(configPath(path, config), message, config));
  }
}

const mistake = (path: readonly PathSegment[], message: string): ConfigMistake => ({
  path,
  message: `${formatPath(path)}: ${message}.`,
});

/** What the store would refuse in a resource or in its table, and what does not fit its schema. */
function resourceMistakes(
  name: string,
  written: ResourceConfig,
  { resources, schemas }: ImplementationDefinition,
): readonly ConfigMistake[] {
  const resource = resources[name];
  if (resource === undefined) return [];
  const path = ['resources', name];
  const definition = toResourceDefinition(resource);
  const refused = refusal(path, 'schema', () => checkResourceDefinition(definition));
  if (refused.length > 0) return refused;
  const { source, compositeIndexes, visible } = written;
  const faults = visible === undefined ? [] : checkRowRule(parseRowRule(visible), resource.schema);
  return [
    ...faults.map((fault) => mistake([...path, 'visible', ...parsePointer(fault.path)], fault.message)),
    ...(compositeIndexes.length === 0
      ? []
      : refusal(path, 'composite_indexes', () => checkResourceDefinition(definition, compositeIndexes))),
    ...(source === undefined ? [] : refusal(path, 'source', () => checkTableSource(source, definition))),
    ...Object.keys(written.representations).flatMap((mediaType) =>
      mappingMistakes([...path, 'representations', mediaType], written, resource, schemas),
    ),
  ];
}

/** A representation whose schema no validator accepts, or whose mapping does not fit it. */
function mappingMistakes(
  path: readonly string[],
  written: ResourceConfig,
  { name, schema: stored, representations, idPointer }: ImplementedResource,
  schemas: ImplementationDefinition['schemas'],
): readonly ConfigMistake[] {
  const mediaType = path.at(-1) ?? '';
  const { map, requires = [] } = written.representations[mediaType] ?? {};
  if (map === undefined) return [];
  const hidden = hiddenPointers(written, requires);
  const unseen = Object.entries(map).flatMap(([target, value]) => {
    const from = 'from' in value ? value.from : undefined;
    const field = hidden.find((pointer) => from === pointer || from?.startsWith(`${pointer}/`));
    if (field === undefined) return [];
    const needed = written.hidden[field]?.join(', ') ?? '';
    const message = `${field} is hidden from the representation; write requires: [${needed}], or another field`;
    return [mistake([...path, 'map', target, 'from'], message)];
  });
  if (unseen.length > 0) return unseen;
  const record = Object.keys(written.hidden).length > 0 ? shownSchema(written, requires) : stored;
  const url = representations.find(({ media_type }) => media_type === mediaType)?.schema_url ?? '';
  const schema = bundleSchema(url, schemas);
  const refused = refusal(path, 'schema', () => checkResourceDefinition({ name, schema, idPointer }));
  if (refused.length > 0) return refused;
  return checkMapping(map, { record, representation: schema }).map((fault) =>
    mistake([...path, 'map', ...parsePointer(fault.path)], fault.message),
  );
}

function refusal(resource: readonly string[], member: string, check: () => void): readonly ConfigMistake[] {
  try {
    check();
    return [];
  } catch (error) {
    if (
      !hasCode<StoreOptionsError>(error, 'store_options_invalid') &&
      !hasCode<AttachRefusedError>(error, 'attach_refused')
    )
      throw error;
    return [mistake([...resource, member], error.message.replace(`${resource[1]}: `, ''))];
  }
}

/** Members that an event carries, but the record does not have. */
function carriedMistakes(path: readonly string[], resource: ResourceConfig): readonly ConfigMistake[] {
  const known = declaredMembers(shownSchema(resource, []));
  const place = Object.keys(resource.hidden).length === 0 ? 'the schema' : 'the schema without hidden fields';
  return Object.entries(resource.events).flatMap(([event, { carries }]) =>
    (Array.isArray(carries) ? carries : []).flatMap((member, index) =>
      known.includes(member)
        ? []
        : [unknownName([...path, 'events', event, 'carries', index], member, known, place)],
    ),
  );
}

function unknownName(
  path: readonly PathSegment[],
  name: string,
  known: readonly string[],
  place: string,
): ConfigMistake {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? `write one of ${known.join(', ')}.` : `did you mean ${nearest}?`;
  return {
    path,
    message: `${formatPath(path)} is ${JSON.stringify(name)}, which ${place} does not have; ${advice}`,
  };
}

const UNKNOWN_PERMISSION = /^"(.*)" must be listed in permissions, /;

/** What to write, for faults for which core has only general wording. */
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
function advised(
  path: readonly PathSegment[],
  fault: string,
  { permissions, resources }: GatewayConfig,
): ConfigMistake {
  const [, name = '', member] = path;
  const permission = UNKNOWN_PERMISSION.exec(fault)?.[1];
  if (permission !== undefined) return unknownName(path, permission, Object.keys(permissions), 'permissions');
  const advice =
    ADVICE.find(([words]) => words.test(fault))?.[1] ??
    (member === 'id' && / must be /.test(fault)
      ? 'write the pointer of such a field, or correct the schema'
      : undefined);
  if (advice !== undefined) return mistake(path, `${fault}; ${advice}`);
  const fields = declaredMembers(resources[String(name)]?.schema ?? {}).map((field) => `/${field}`);
  const known =
    member === 'visible'
      ? ' that it declares, or add the field to the schema'
      : `, such as ${fields.join(', ')}`;
  return mistake(
    path,
    fault.replace('is not a field of the model', `is not a field of the schema; write one${known}`),
  );
}
