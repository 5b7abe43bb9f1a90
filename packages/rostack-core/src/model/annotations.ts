import { z } from 'zod';

/** JSON Schema keywords that a model adds to what Zod generates for it. */
interface Annotation {
  /** Name of the definition under `$defs`; without it the schema stands in place. */
  readonly id?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly uniqueItems?: true;
  readonly contains?: Readonly<Record<string, unknown>>;
  readonly minProperties?: number;
  readonly propertyNames?: Readonly<Record<string, unknown>>;
}

/** Holds the annotations apart from Zod's global registry, which belongs to the application. */
export const annotations = z.registry<Annotation>();

/** Attaches annotations to a model and returns it. */
export function annotate<T extends z.ZodType>(model: T, annotation: Annotation): T {
  annotations.add(model, annotation);
  return model;
}
