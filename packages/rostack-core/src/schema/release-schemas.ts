import { z } from 'zod';
import { annotations } from '../model/annotations.ts';
import { MODELS } from '../model/models.ts';
import { type Release, SCHEMA_ID_BASES } from '../release/release.ts';
import type { JsonSchema } from './json-schema.ts';

const OLDER = MODELS['2026-08-12'];
const NEWER = MODELS['2026-08-13'];

/** The models behind the schema files of each release, by file name (protocol section 1). */
export const SCHEMA_FILES: Readonly<
  Record<Release, Readonly<Record<string, { title: string; model: z.ZodType }>>>
> = {
  '2026-08-12': {
    'discovery.schema.json': { title: 'rostack_v1 discovery document', model: OLDER.discovery },
    'filter.schema.json': { title: 'rostack_v1 filter', model: OLDER.filter },
    'websocket-message.schema.json': { title: 'rostack_v1 WebSocket message', model: OLDER.websocketMessage },
  },
  '2026-08-13': {
    'discovery.schema.json': { title: 'rostack_v1 discovery document', model: NEWER.discovery },
    'filter.schema.json': { title: 'rostack_v1 filter', model: NEWER.filter },
    'problem.schema.json': { title: 'rostack_v1 problem', model: NEWER.problem },
    'websocket-message.schema.json': { title: 'rostack_v1 WebSocket message', model: NEWER.websocketMessage },
  },
};

/**
 * The JSON Schemas (draft 2020-12) of a release, by file name, generated from the models: each accepts exactly
 * what its model accepts. The same files stand in the package under `schemas/rostack_v1/releases/{release}/`.
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
