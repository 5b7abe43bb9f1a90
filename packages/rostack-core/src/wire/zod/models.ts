import { z } from 'zod';
import type { JsonSchema } from '../../schema/graph/json-schema.ts';
import { SCHEMA_ID_BASES } from '../../schema/schema-id-bases.ts';
import type { JsonObject } from '../../text/json.ts';
import { type Collection, collectionModel } from '../collection/parse-collection.ts';
import { filterOperatorModel } from '../discovery/capabilities-model.ts';
import {
  type AnyDiscoveryDocument,
  type DiscoveryDocument,
  type DiscoveryDocument20260812,
  discoveryModel20260812,
  discoveryModel20260813,
} from '../discovery/discovery-model.ts';
import { fieldNameModel } from '../discovery/resource-model.ts';
import { type ClientMessage, clientModels, FILTER_PLACES } from '../message/client-message.ts';
import {
  type CompactEvent,
  compactEventModel,
  type ServerMessage,
  type ServerMessage20260812,
  serverMessageModel20260812,
  serverMessageModel20260813,
  serverModels20260812,
  serverModels20260813,
} from '../message/server-message.ts';
import { sharedModels } from '../message/shared-models.ts';
import { type Model, tagged, typed } from '../model/model.ts';
import { dateTime, httpsUrl, strictUriReference, uri, uriReference, wssUrl } from '../model/text.ts';
import { type AnyProblem, problemModel20260812, problemModel20260813 } from '../problem/problem-model.ts';
import type { Problem } from '../problem/problem-types.ts';
import type { Release } from '../release/release.ts';
import { type Annotation, annotations } from './constraints.ts';
import { FILTER_MODELS } from './filter-model.ts';
import { type Conversion, toZod } from './to-zod.ts';

/** The Zod models of one release. */
export interface ReleaseModels<Discovery extends AnyDiscoveryDocument, ProblemObject, Sent> {
  /** The discovery document (protocol section 2). */
  readonly discovery: z.ZodType<Discovery>;
  /** A filter, as JSON (section 6). */
  readonly filter: z.ZodType<JsonObject>;
  /** A problem object (section 5); of release 2026-08-12 any RFC 9457 object. */
  readonly problem: z.ZodType<ProblemObject>;
  /** A message that a client sends (section 7). */
  readonly clientMessage: z.ZodType<ClientMessage>;
  /** A message that a server sends (section 7). */
  readonly serverMessage: z.ZodType<Sent>;
  /** A message of either side. */
  readonly websocketMessage: z.ZodType<ClientMessage | Sent>;
  /** One page of a collection (section 5); its records may be any objects. */
  readonly collection: z.ZodType<Collection>;
}

const REFERENCE: Annotation = { id: 'uri-reference', format: 'uri-reference' };

/** What the schemas say about parts beyond the model: the name of the definition, and keywords of JSON Schema. */
const ANNOTATIONS: readonly (readonly [Model, Annotation])[] = [
  [httpsUrl, { id: 'https-url', format: 'uri', pattern: '^https://' }],
  [wssUrl, { id: 'wss-url', format: 'uri', pattern: '^wss://' }],
  [uri, { id: 'uri', format: 'uri' }],
  [uriReference, REFERENCE],
  [strictUriReference, REFERENCE],
  [dateTime, { id: 'date-time', format: 'date-time' }],
  [fieldNameModel, { id: 'field-name' }],
  [filterOperatorModel, { id: 'filter-operator' }],
  [compactEventModel, { id: 'compact-event' }],
];

/** The definition of a message has the name of its type. */
const typesOf = (models: Readonly<Record<string, Model>>): [Model, Annotation][] =>
  Object.entries(models).map(([id, model]) => [model, { id }]);

function modelsOf<D extends AnyDiscoveryDocument, P, S>(
  release: Release,
  parts: {
    readonly discovery: Model<D>;
    readonly problem: Model<P>;
    readonly serverMessage: Model<S>;
    readonly serverModels: typeof serverModels20260812 | typeof serverModels20260813;
  },
): ReleaseModels<D, P, S> {
  const filter = FILTER_MODELS[release];
  const sent = clientModels(release);
  const conversion: Conversion = {
    made: new Map([[FILTER_PLACES[release], filter]]),
    annotations: new Map([...ANNOTATIONS, ...typesOf(sent), ...typesOf(parts.serverModels)]),
  };
  const either = typed({
    object: tagged('type', { ...sent, ...parts.serverModels }),
    array: compactEventModel,
  });
  return {
    discovery: toZod(parts.discovery, conversion),
    filter,
    problem: toZod(parts.problem, conversion),
    clientMessage: toZod(tagged('type', { ...sent, ...sharedModels }), conversion),
    serverMessage: toZod(parts.serverMessage, conversion),
    websocketMessage: toZod(either as Model as Model<ClientMessage | S>, conversion),
    collection: toZod(collectionModel, conversion),
  };
}

/** The Zod models of each release. */
interface Models {
  readonly '2026-08-12': ReleaseModels<DiscoveryDocument20260812, AnyProblem, ServerMessage20260812>;
  readonly '2026-08-13': ReleaseModels<DiscoveryDocument, Problem, ServerMessage | CompactEvent>;
}

/**
 * The Zod models of each release: what the JSON Schemas say, without the cross-field checks. They transform
 * nothing and fill in no default. Use the `parse...` functions on values from outside; these are for composing.
 */
export const MODELS: Models = {
  '2026-08-12': modelsOf('2026-08-12', {
    discovery: discoveryModel20260812,
    problem: problemModel20260812,
    serverMessage: serverMessageModel20260812,
    serverModels: serverModels20260812,
  }),
  '2026-08-13': modelsOf('2026-08-13', {
    discovery: discoveryModel20260813,
    problem: problemModel20260813,
    serverMessage: serverMessageModel20260813,
    serverModels: serverModels20260813,
  }),
};

const OLDER = MODELS['2026-08-12'];
const NEWER = MODELS['2026-08-13'];

/** The models behind the schema files of each release, by file name (protocol section 1). */
const SCHEMA_FILES: Readonly<Record<Release, Readonly<Record<string, { title: string; model: z.ZodType }>>>> =
  {
    '2026-08-12': {
      'discovery.schema.json': { title: 'rostack_v1 discovery document', model: OLDER.discovery },
      'filter.schema.json': { title: 'rostack_v1 filter', model: OLDER.filter },
      'websocket-message.schema.json': {
        title: 'rostack_v1 WebSocket message',
        model: OLDER.websocketMessage,
      },
    },
    '2026-08-13': {
      'discovery.schema.json': { title: 'rostack_v1 discovery document', model: NEWER.discovery },
      'filter.schema.json': { title: 'rostack_v1 filter', model: NEWER.filter },
      'problem.schema.json': { title: 'rostack_v1 problem', model: NEWER.problem },
      'websocket-message.schema.json': {
        title: 'rostack_v1 WebSocket message',
        model: NEWER.websocketMessage,
      },
    },
  };

/**
 * The JSON Schemas (draft 2020-12) of a release, by file name, generated from the models: each accepts exactly
 * what its model accepts. The package has the same files under `schemas/rostack_v1/releases/{release}/`.
 * @see protocol section 1
 */
export function releaseSchemas(release: Release): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries(SCHEMA_FILES[release]).map(([file, { title, model }]) => {
      const { $schema, ...generated } = z.toJSONSchema(model, { metadata: annotations, io: 'input' });
      return [
        file,
        { $schema, $id: `${SCHEMA_ID_BASES[release]}${file}`, title, ...generated } as unknown as JsonSchema,
      ];
    }),
  );
}
