/** Any value that JSON can say (RFC 8259). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; only own members count. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** A JSON value that is neither an array nor an object. */
export type JsonScalar = null | boolean | number | string;

/** A type of JSON values; integers are numbers. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
