import type { JsonObject } from '../json.ts';

/** A JSON Schema object (draft 2020-12). */
export type JsonSchema = JsonObject;
