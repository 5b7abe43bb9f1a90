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

/** A schema that many servers share. */
export function servedSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = schema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => standard.validate(value),
      jsonSchema: memoize(schema),
    },
  };
}

/** A schema that clients see, for values that this package creates: they are not validated again. */
export function trustedSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => ({ value }),
      jsonSchema: memoize(schema),
    },
  };
}
