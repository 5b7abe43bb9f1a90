import { z } from 'zod';

/** A JSON Schema of the members that every client understands. */
export interface PlainSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: PlainSchema;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
}

interface JsonSchema extends PlainSchema {
  readonly const?: unknown;
}

/** Bounds that Zod adds to every integer say nothing. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function plain(schema: JsonSchema): PlainSchema {
  const { type, description, minimum, maximum, items, properties, required } = schema;
  const values = schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : undefined);
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
    ...(isBound(minimum) ? { minimum } : {}),
    ...(isBound(maximum) ? { maximum } : {}),
    ...(items === undefined ? {} : { items: plain(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, plain(each)]),
          ),
        }),
    ...(required === undefined || required.length === 0 ? {} : { required }),
  };
}

/**
 * The schema that clients see: type, enum, minimum, maximum and description, and what objects and lists are made of. Some
 * turn it into a grammar, and refuse the whole request for a pattern or any other member. It accepts any value for its
 * members: a tool checks its arguments itself, so that it can say what to send.
 *
 * @param io whether it is of what is sent to the tool, or of what it answers
 */
export function plainSchema(schema: z.ZodObject, io: 'input' | 'output'): z.ZodObject {
  const { properties = {}, required } = plain(z.toJSONSchema(schema, { io }) as JsonSchema);
  const members = Object.entries(properties).map(([name, each]) => [
    name,
    z
      .any()
      .optional()
      .meta({ ...each }),
  ]);
  // Zod adds the address of the dialect and closes answers to other members: both are taken away again.
  return z.object(Object.fromEntries(members) as z.ZodRawShape).meta({
    ...(required === undefined ? {} : { required }),
    $schema: undefined,
    additionalProperties: undefined,
  });
}
