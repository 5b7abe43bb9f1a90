import { z } from 'zod';

/**
 * Lets a map-like model refuse the member name `__proto__`, which JSON can carry and Zod skips in silence.
 * The generated schema says the same through `propertyNames`.
 */
export const withoutProtoMember = <T extends z.ZodType>(model: T): z.ZodPreprocess<T> =>
  z.preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
      context.addIssue({
        code: 'unrecognized_keys',
        keys: ['__proto__'],
        input: value as Record<string, unknown>,
      });
    }
    return value;
  }, model);
