declare const valueOf: unique symbol;

/** A test that texts have to pass. */
export interface TextRule {
  readonly test: (text: string) => boolean;
  /** A sentence fragment that follows the path. */
  readonly message: string;
  /** The same rule, if JSON Schema has a keyword for it. */
  readonly is?: 'not_empty' | RegExp;
  /** A further rule for the texts that pass. */
  readonly beyond?: BeyondRule;
}

/** A rule for texts that the published schema does not have. */
export interface BeyondRule {
  /** Its stable name, in snake case. */
  readonly check: string;
  /** What a text also has to match. */
  readonly is: RegExp;
  /** A sentence fragment that follows the path. */
  readonly message: string;
}

/** The forms of JSON values that the protocol has. */
export type Form =
  | { readonly kind: 'any' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'custom'; readonly test: (value: unknown) => boolean; readonly message: string }
  | { readonly kind: 'string'; readonly rule?: TextRule | undefined }
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max?: number | undefined;
      readonly isTime: boolean;
    }
  | { readonly kind: 'literal'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'nullable'; readonly of: Model }
  | { readonly kind: 'array'; readonly item: Model; readonly rules: ArrayRules }
  | { readonly kind: 'tuple'; readonly items: readonly (Model | Optional)[] }
  | {
      readonly kind: 'object';
      readonly members: ReadonlyMap<string, Model | Optional>;
      readonly isOpen: boolean;
    }
  | {
      readonly kind: 'map';
      readonly name: TextRule | undefined;
      readonly value: Model;
      readonly emptyFault: string | undefined;
    }
  | { readonly kind: 'tagged'; readonly tag: string; readonly options: ReadonlyMap<string, Model> }
  | { readonly kind: 'typed'; readonly options: Readonly<Partial<Record<JsonKind, Model>>> };

/** The rules for an array, apart from its items. */
export interface ArrayRules {
  readonly isUnique?: boolean;
  /** The sentence about an empty array, if that is a fault. */
  readonly emptyFault?: string;
  /** A text that has to be among the items. */
  readonly contains?: string;
}

/** The types of JSON values that a `typed` model distinguishes. */
export type JsonKind = 'boolean' | 'string' | 'array' | 'object';

/**
 * What values look like, as data: validators, Zod models and JSON Schemas are made from it. Models allow what the published schemas
 * allow. Each rule that this package adds to them has a name: the `check` of a `BeyondRule` or of a `CrossCheck`.
 */
export type Model<T = unknown> = Form & { readonly [valueOf]?: T };

/** A member or position that may be missing. */
export interface Optional<T = unknown> {
  readonly kind: 'optional';
  readonly of: Model;
  readonly default: unknown;
  readonly [valueOf]?: T;
}

/** The type of the values of a model. */
export type ValueOf<M> = M extends { readonly [valueOf]?: infer T } ? T : never;

type Members = Readonly<Record<string, Model | Optional>>;
type RequiredNames<M> = { [K in keyof M]: M[K] extends Optional ? never : K }[keyof M];
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectOf<M> = Flat<
  { -readonly [K in RequiredNames<M>]: ValueOf<M[K]> } & {
    -readonly [K in Exclude<keyof M, RequiredNames<M>>]?: ValueOf<M[K]> | undefined;
  }
>;

/** Any JSON value. */
export const any: Model = { kind: 'any' };

export const boolean: Model<boolean> = { kind: 'boolean' };

/** A value that passes a test and need not be JSON: for declarations. */
export const custom = (test: (value: unknown) => boolean, message: string): Model => ({
  kind: 'custom',
  test,
  message,
});

/** Any text, or one that fits a rule. */
export const string: Model<string> = { kind: 'string' };

export const textOf = (rule: TextRule): Model<string> => ({ kind: 'string', rule });

export const patternRule = (is: RegExp, message: string, beyond?: BeyondRule): TextRule => ({
  test: (text) => is.test(text),
  message,
  is,
  ...(beyond && { beyond }),
});

export const nonEmpty: Model<string> = textOf({
  test: (text) => text !== '',
  message: 'must not be empty',
  is: 'not_empty',
});

/** An integer of any size from `min` on. */
export const anInteger = (min: number, max?: number): Model<number> => ({
  kind: 'integer',
  min,
  max,
  isTime: false,
});

/** An integer of milliseconds, at least `min`. */
export const milliseconds = (min: number): Model<number> => ({ kind: 'integer', min, isTime: true });

/** One of these values. */
export const literal = <const V extends readonly (string | number | boolean)[]>(
  ...values: V
): Model<V[number]> => ({ kind: 'literal', values });

export const nullable = <T>(of: Model<T>): Model<T | null> => ({ kind: 'nullable', of });

export const optional = <T>(of: Model<T>, byDefault?: T): Optional<T> => ({
  kind: 'optional',
  of,
  default: byDefault,
});

export const array = <T>(item: Model<T>, rules: ArrayRules = {}): Model<T[]> => ({
  kind: 'array',
  item,
  rules,
});

/** An array without equal items. */
export const uniqueArray = <T>(item: Model<T>, rules: ArrayRules = {}): Model<T[]> =>
  array(item, { ...rules, isUnique: true });

type ValuesOf<P extends readonly unknown[]> = { -readonly [K in keyof P]: ValueOf<P[K]> };

/** An array of one model per position; those at the end may be missing. */
export const tuple = <const R extends readonly Model[], const O extends readonly Optional[]>(
  required: R,
  further: O,
): Model<[...ValuesOf<R>, ...Partial<ValuesOf<O>>]> => ({ kind: 'tuple', items: [...required, ...further] });

/** An object with these members and no others. */
export const object = <M extends Members>(members: M): Model<ObjectOf<M>> => ({
  kind: 'object',
  members: new Map(Object.entries(members)),
  isOpen: false,
});

/** An object with these members, and any others. */
export const openObject = <M extends Members>(members: M): Model<ObjectOf<M> & Record<string, unknown>> => ({
  kind: 'object',
  members: new Map(Object.entries(members)),
  isOpen: true,
});

/** An object whose member names come from the data. */
export const map = <T>(
  value: Model<T>,
  { name, emptyFault }: { readonly name?: TextRule; readonly emptyFault?: string } = {},
): Model<Record<string, T>> => ({ kind: 'map', name, value, emptyFault });

/** Objects of several shapes, distinguished by one member. */
export const tagged = <O extends Readonly<Record<string, Model>>>(
  tag: string,
  options: O,
): Model<ValueOf<O[keyof O]>> => ({ kind: 'tagged', tag, options: new Map(Object.entries(options)) });

/** Values of several shapes, distinguished by their JSON type. */
export const typed = <O extends Readonly<Partial<Record<JsonKind, Model>>>>(
  options: O,
): Model<ValueOf<O[keyof O]>> => ({ kind: 'typed', options });
