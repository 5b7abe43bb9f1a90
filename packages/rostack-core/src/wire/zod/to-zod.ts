import { z } from 'zod';
import type { Model, Optional } from '../model/model.ts';
import { type Annotation, annotate, notEmpty, uniqueArray, withoutProtoMember } from './constraints.ts';

/** What the conversion of models starts with and has made so far. */
export interface Conversion {
  /** The Zod models, by the model that they are made from. Those of filters are put in by hand. */
  readonly made: Map<Model, z.ZodType>;
  /** What the JSON Schema of a model says beyond the model. */
  readonly annotations: ReadonlyMap<Model, Annotation>;
}

/** The Zod model that accepts what a model accepts. The same part always gives the same Zod model, so that schemas can refer to it. */
export function toZod<T>(model: Model<T>, conversion: Conversion): z.ZodType<T> {
  const { made, annotations } = conversion;
  const present = made.get(model) as z.ZodType<T> | undefined;
  if (present !== undefined) return present;
  const plain = convert(model, conversion) as z.ZodType<T>;
  const annotation = annotations.get(model);
  const zod = annotation === undefined ? plain : annotate(plain, annotation);
  made.set(model, zod);
  return zod;
}

function convert(model: Model, conversion: Conversion): z.ZodType {
  const part = (inner: Model | Optional): z.ZodType => partOf(inner, conversion);
  switch (model.kind) {
    case 'any':
      return z.unknown();
    case 'boolean':
      return z.boolean();
    case 'custom':
      return z.custom(model.test, model.message);
    case 'string':
      return textModel(model);
    case 'integer':
      return integerModel(model);
    case 'literal':
      return literalModel(model.values);
    case 'nullable':
      return part(model.of).nullable();
    case 'array': {
      const { isUnique = false, emptyFault, contains } = model.rules;
      let list = isUnique ? uniqueArray(part(model.item)) : z.array(part(model.item));
      if (emptyFault !== undefined) list = list.check(notEmpty(emptyFault));
      if (contains === undefined) return list;
      list = list.refine((items) => items.includes(contains), `must contain ${JSON.stringify(contains)}`);
      return annotate(list, { ...(isUnique && { uniqueItems: true }), contains: { const: contains } });
    }
    case 'tuple':
      return z.tuple(model.items.map(part) as [z.ZodType, ...z.ZodType[]]);
    case 'object': {
      const members = Object.fromEntries([...model.members].map(([name, member]) => [name, part(member)]));
      return model.isOpen ? z.looseObject(members) : z.strictObject(members);
    }
    case 'map':
      return mapModel(model, part(model.value));
    case 'tagged': {
      const options = [...model.options.values()].map(part) as unknown as Parameters<
        typeof z.discriminatedUnion
      >[1];
      return z.discriminatedUnion(model.tag, options);
    }
    default:
      return z.union(Object.values(model.options).map(part));
  }
}

function partOf(inner: Model | Optional, conversion: Conversion): z.ZodType {
  if (inner.kind !== 'optional') return toZod(inner, conversion);
  const model = toZod(inner.of, conversion).optional();
  return inner.default === undefined ? model : annotate(model, { default: inner.default });
}

type Of<K extends Model['kind']> = Extract<Model, { readonly kind: K }>;

function textModel({ rule }: Of<'string'>): z.ZodType {
  const text = z.string();
  if (rule === undefined) return text;
  const { is, message, test } = rule;
  if (is === 'not_empty') return text.check(notEmpty(message));
  return is === undefined ? text.refine(test, message) : text.regex(is, message);
}

function integerModel({ min, max, isTime }: Of<'integer'>): z.ZodType {
  const number = z
    .number()
    .refine(Number.isInteger, `must be an integer${isTime ? ' number of milliseconds' : ''}`)
    .min(min, `must be at least ${min}${isTime ? ' ms' : ''}`);
  return annotate(max === undefined ? number : number.max(max), { type: 'integer' });
}

function literalModel(values: readonly (string | number | boolean)[]): z.ZodType {
  const [first, ...others] = values;
  if (others.length === 0) return z.literal(first);
  return z.enum(values as readonly string[]);
}

function mapModel({ name, emptyFault }: Of<'map'>, value: z.ZodType): z.ZodType {
  const findFault = (members: object): string | undefined =>
    Object.keys(members).length === 0 ? emptyFault : undefined;
  const keywords = emptyFault === undefined ? {} : { minProperties: 1 };
  if (name?.is instanceof RegExp)
    return annotate(
      withoutProtoMember(z.record(z.string().regex(name.is, name.message), value), findFault),
      keywords,
    );
  return annotate(keepingProtoMember(z.record(z.string(), value), value, findFault), keywords);
}

/** Zod drops a member `__proto__` unread; the published schema treats it like any other name. */
const keepingProtoMember = (
  record: z.ZodType,
  value: z.ZodType,
  findFault: (members: object) => string | undefined,
): z.ZodType =>
  z.preprocess((members, context) => {
    if (typeof members !== 'object' || members === null || Array.isArray(members)) return members;
    const message = findFault(members);
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: members });
    const dropped = Object.getOwnPropertyDescriptor(members, '__proto__');
    if (dropped !== undefined && !value.safeParse(dropped.value).success)
      context.addIssue({ code: 'custom', message: 'has a wrong value', input: members, path: ['__proto__'] });
    return members;
  }, record);
