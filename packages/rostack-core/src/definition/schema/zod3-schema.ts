import type { ZodTypeAny as Zod3Type } from 'zod/v3';
import { type PostProcessCallback, zodToJsonSchema } from 'zod-to-json-schema';
import type { Zod3Model } from './record-model.ts';

/** The `_def` of a Zod 3 type, for every class of types. */
interface Definition {
  readonly typeName: string;
  readonly innerType?: Member;
  readonly schema?: Member;
  readonly type?: Member;
  readonly out?: Member;
  readonly effect?: { readonly type: string };
  readonly shape?: () => Readonly<Record<string, Member>>;
}

interface Member {
  readonly _def: Definition;
  isOptional(): boolean;
}

/** Types whose values are not JSON. */
const NO_JSON = new Set([
  'ZodBigInt',
  'ZodDate',
  'ZodFunction',
  'ZodMap',
  'ZodNaN',
  'ZodPromise',
  'ZodSet',
  'ZodSymbol',
  'ZodUndefined',
  'ZodVoid',
]);

/**
 * The JSON Schema (draft 2019-09) of the output of a Zod 3 model.
 * @throws Error when the model has something that JSON cannot express, such as a date or a transformation
 */
export function zod3Schema(model: Zod3Model): object {
  return zodToJsonSchema(model as unknown as Zod3Type, {
    target: 'jsonSchema2019-09',
    $refStrategy: 'root',
    pipeStrategy: 'output',
    postProcess: asOutput,
  });
}

/** The library describes the input of a model, where a member with a default may be missing. This corrects it to the output. */
const asOutput: PostProcessCallback = (schema, given) => {
  const definition = given as Definition;
  const { typeName, effect, shape } = definition;
  if (NO_JSON.has(typeName)) {
    throw new Error(`${typeName.replace('Zod', '')} cannot be represented in JSON Schema`);
  }
  if (effect?.type === 'transform') throw new Error('Transforms cannot be represented in JSON Schema');
  if (typeName !== 'ZodObject' || shape === undefined || schema === undefined) return schema;
  const required = Object.entries(shape()).flatMap(([name, member]) => (mayBeMissing(member) ? [] : [name]));
  return { ...schema, ...(required.length > 0 ? { required } : {}) };
};

function mayBeMissing(member: Member): boolean {
  const { typeName, innerType, schema, type, out } = member._def;
  if (typeName === 'ZodDefault') return false;
  const isWrapper = ['ZodBranded', 'ZodCatch', 'ZodEffects', 'ZodNullable', 'ZodPipeline', 'ZodReadonly'];
  const inner = isWrapper.includes(typeName) ? (out ?? innerType ?? schema ?? type) : undefined;
  return inner === undefined ? member.isOptional() : mayBeMissing(inner);
}
