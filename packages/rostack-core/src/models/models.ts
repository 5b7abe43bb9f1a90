import { z } from 'zod';
import { collectionModel } from '../collection/parse-collection.ts';
import { discoveryModel20260812, discoveryModel20260813 } from '../discovery/discovery-model.ts';
import { filterModel20260812, filterModel20260813 } from '../filter/filter-model.ts';
import { clientMessageModel20260812, clientMessageModel20260813 } from '../message/client-message.ts';
import {
  serverMessageModel20260812,
  serverMessageModel20260813,
  websocketMessageModel20260812,
  websocketMessageModel20260813,
} from '../message/server-message.ts';
import { annotations } from '../model/constraints.ts';
import { problemModel20260812, problemModel20260813 } from '../problem/problem-model.ts';
import { type Release, SCHEMA_ID_BASES } from '../release/release.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/**
 * The Zod models of each release: what the JSON Schemas say, without the cross-field checks. They transform
 * nothing and fill in no default. Use the `parse...` functions on values from outside; these are for composing.
 */
export const MODELS = {
  '2026-08-12': {
    discovery: discoveryModel20260812,
    filter: filterModel20260812,
    problem: problemModel20260812,
    clientMessage: clientMessageModel20260812,
    serverMessage: serverMessageModel20260812,
    websocketMessage: websocketMessageModel20260812,
    collection: collectionModel,
  },
  '2026-08-13': {
    discovery: discoveryModel20260813,
    filter: filterModel20260813,
    problem: problemModel20260813,
    clientMessage: clientMessageModel20260813,
    serverMessage: serverMessageModel20260813,
    websocketMessage: websocketMessageModel20260813,
    collection: collectionModel,
  },
} as const;

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
