import { z } from 'zod';
import type { JsonValue } from '../json.ts';
import { jsonEquals } from '../json-equals.ts';
import { annotate } from './annotations.ts';

function isUnique(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const others: JsonValue[] = [];
  for (const item of items) {
    if (typeof item !== 'object' || item === null) {
      if (scalars.has(item)) return false;
      scalars.add(item);
    } else {
      const value = item as JsonValue;
      if (others.some((other) => jsonEquals(other, value))) return false;
      others.push(value);
    }
  }
  return true;
}

/** An array whose items differ from each other as JSON values (JSON Schema `uniqueItems`). */
export const uniqueArray = <T extends z.ZodType>(item: T): z.ZodArray<T> =>
  annotate(z.array(item).refine(isUnique, 'must not hold the same value twice'), { uniqueItems: true });
