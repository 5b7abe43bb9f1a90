import { z } from 'zod';
import { canonicalJson, type JsonValue } from '../../text/json.ts';

/** JSON Schema keywords to add to the schema that Zod generates for a model. */
export interface Annotation {
  /** Name of the definition under `$defs`; without it the schema is inlined. */
  readonly id?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: 'integer';
  readonly format?: string;
  readonly pattern?: string;
  readonly uniqueItems?: true;
  readonly contains?: Readonly<Record<string, unknown>>;
  readonly minProperties?: number;
  readonly propertyNames?: Readonly<Record<string, unknown>>;
}

/** Separate from Zod's global registry, which belongs to the application. */
export const annotations = z.registry<Annotation>();

/** Attaches annotations to a model and returns it. */
export function annotate<T extends z.ZodType>(model: T, annotation: Annotation): T {
  annotations.add(model, annotation);
  return model;
}

const hasLength = ({ value }: { readonly value: unknown }): boolean =>
  typeof value === 'string' || Array.isArray(value);

/**
 * A text or list that is not empty. Zod's own length check also looks at objects with a member `length`, and throws a
 * TypeError when it cannot compare that member: `when` limits the check to texts and lists.
 */
export function notEmpty(message: string) {
  const check = z.minLength(1, message);
  check._zod.def.when = hasLength;
  return check;
}

/**
 * Makes a map-like model reject the member name `__proto__`, which JSON allows and Zod silently drops; the generated
 * schema rejects it through `propertyNames`. A fault that `findFault` returns is reported before the model runs.
 */
export const withoutProtoMember = <T extends z.ZodType>(
  model: T,
  findFault?: (value: object) => string | undefined,
): z.ZodPreprocess<T> =>
  z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const input = value as Record<string, unknown>;
    if (Object.hasOwn(input, '__proto__')) {
      context.addIssue({ code: 'unrecognized_keys', keys: ['__proto__'], input });
    }
    const message = findFault?.(input);
    if (message !== undefined) context.addIssue({ code: 'custom', message, input });
    return value;
  }, model);

const isUnique = (items: readonly unknown[]): boolean =>
  new Set(items.map((item) => canonicalJson(item as JsonValue))).size === items.length;

/** An array without equal items (JSON Schema `uniqueItems`). */
export const uniqueArray = <T extends z.ZodType>(item: T): z.ZodArray<T> =>
  annotate(z.array(item).refine(isUnique, 'must not contain duplicates'), { uniqueItems: true });
