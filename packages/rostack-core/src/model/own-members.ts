import { z } from 'zod';

/**
 * Lets a map-like model refuse the member name `__proto__`, which JSON can carry and Zod skips in silence; the generated
 * schema says the same through `propertyNames`. What `findFault` says about an object is refused before the model sees it.
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
