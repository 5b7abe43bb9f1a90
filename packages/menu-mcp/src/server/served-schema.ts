import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** Converts a schema to JSON Schema once instead of once for each server. */
function memoize(schema: z.ZodObject): StandardSchemaWithJSON['~standard']['jsonSchema'] {
  const { jsonSchema } = schema['~standard'];
  const made: { input?: Record<string, unknown>; output?: Record<string, unknown> } = {};
  return {
    input: (options) => (made.input ??= jsonSchema.input(options)),
    output: (options) => (made.output ??= jsonSchema.output(options)),
  };
}

/** A schema that clients see: tools check their arguments themselves, and what they answer is of this package. */
export function servedSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => ({ value: value ?? {} }),
      jsonSchema: memoize(schema),
    },
  };
}
