import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** Converts a schema to JSON Schema once, not for each server made from it. */
function memoize(schema: z.ZodObject): StandardSchemaWithJSON['~standard']['jsonSchema'] {
  const { jsonSchema } = schema['~standard'];
  const made: { input?: Record<string, unknown>; output?: Record<string, unknown> } = {};
  return {
    input: (options) => (made.input ??= jsonSchema.input(options)),
    output: (options) => (made.output ??= jsonSchema.output(options)),
  };
}

/** A schema for many short-lived servers. */
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

/** A schema that is told to clients, for values that this package makes itself: they are not checked again. */
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
