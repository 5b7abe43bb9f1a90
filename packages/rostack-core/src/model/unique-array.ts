import { z } from 'zod';
import type { JsonValue } from '../json.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { annotate } from './annotations.ts';

const isUnique = (items: readonly unknown[]): boolean =>
  new Set(items.map((item) => canonicalJson(item as JsonValue))).size === items.length;

/** An array whose items differ from each other as JSON values (JSON Schema `uniqueItems`). */
export const uniqueArray = <T extends z.ZodType>(item: T): z.ZodArray<T> =>
  annotate(z.array(item).refine(isUnique, 'must not hold the same value twice'), { uniqueItems: true });
