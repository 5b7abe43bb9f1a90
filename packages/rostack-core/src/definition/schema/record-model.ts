import type { JsonSchema } from '../../schema/graph/json-schema.ts';
import type { JsonObject, JsonValue } from '../../text/json.ts';

/** A record of unknown type. A record that an `interface` describes fits, too. */
// oxlint-disable-next-line typescript/no-explicit-any -- an index signature of anything else refuses interfaces
export type AnyRecord = { readonly [member: string]: any };

/** A Zod 4 model, of `zod` or `zod/mini`. */
export interface Zod4Model<Output = unknown> {
  /** Zod's own. */
  readonly _zod: {
    /** Type of the result of a parse. */
    readonly output: Output;
  };
}

/** A Zod 3 model, of any release of it and of `zod/v3`. */
export interface Zod3Model<Output = unknown> {
  /** Type of the result of a parse. */
  readonly _output: Output;
  /** Zod's own; the JSON Schema is made from it. */
  readonly _def: object;
  /** Zod's own; it distinguishes a Zod 3 model from others. */
  safeParse(value: unknown): unknown;
}

/**
 * A model of another library that can describe itself as JSON Schema.
 * @see https://standardschema.dev/json-schema
 */
export interface StandardModel<Output = unknown> {
  /** What the library says about the model. */
  readonly '~standard': {
    /** The version of Standard Schema. */
    readonly version: 1;
    /** Name of the library, such as `arktype`. */
    readonly vendor: string;
    /** What the compiler knows; no value has this member. */
    readonly types?:
      | {
          /** Type of the result of a parse. */
          readonly output: Output;
        }
      | undefined;
    /** Writers of JSON Schema. */
    readonly jsonSchema: {
      /** The schema of the result of a parse, in draft 2020-12. */
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Readonly<Record<string, unknown>>;
    };
  };
}

declare const DESCRIBED: unique symbol;

/** A JSON Schema with the type of what it describes, which only the compiler knows. */
export interface TypedJsonSchema<Described> extends JsonSchema {
  /** What the compiler knows. No value has this member. */
  readonly [DESCRIBED]?: Described;
}

/**
 * What a record or an event's data looks like: a model of Zod 4, Zod 3, or another library with Standard JSON Schema, or a JSON Schema
 * (draft 2020-12), which `jsonSchema` gives a type.
 */
export type RecordModel = Zod4Model | Zod3Model | StandardModel | JsonSchema;

/** The type of what a model describes; any JSON for a JSON Schema without a type. */
export type ModelOutput<Model> =
  Model extends Zod4Model<infer Output>
    ? Output
    : Model extends Zod3Model<infer Output>
      ? Output
      : Model extends {
            readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
          }
        ? Output
        : Model extends TypedJsonSchema<infer Described>
          ? unknown extends Described
            ? JsonValue
            : Described
          : JsonValue;

/** The type of the records that a model describes; any JSON object if that is not known. */
export type RecordOf<Model> =
  JsonValue extends ModelOutput<Model>
    ? JsonObject
    : ModelOutput<Model> extends infer Output extends object
      ? Output
      : never;

/** Gives a JSON Schema (draft 2020-12) the type of what it describes. Nothing checks that the type is right. */
export function jsonSchema<Described>(schema: JsonSchema): TypedJsonSchema<Described> {
  return schema;
}
