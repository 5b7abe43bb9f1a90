import {
  type AnyDiscoveryDocument,
  type DescribedImplementation,
  detectRelease,
  type JsonSchema,
  parseDiscovery,
} from 'rostack-core';
import { z } from 'zod';

const bundleModel = z.object({
  discovery: z.unknown(),
  schemas: z.record(z.string(), z.union([z.boolean(), z.record(z.string(), z.json())])),
});

/** A discovery document and the schemas that it advertises, as one JSON text. */
export function formatBundle({ discovery, schemas }: DescribedImplementation): string {
  return JSON.stringify({ discovery, schemas: Object.fromEntries(schemas) });
}

/** Whether a JSON value is meant to be a bundle. */
export function isBundle(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'discovery' in value && 'schemas' in value;
}

/** @throws DiscoveryError of rostack-core, ZodError */
export function parseBundle(value: unknown): DescribedImplementation {
  const { discovery, schemas } = bundleModel.parse(value);
  return {
    discovery: readDiscovery(discovery),
    schemas: new Map(Object.entries(schemas as Record<string, JsonSchema>)),
  };
}

/** A discovery document of any release. @throws DiscoveryError of rostack-core */
export function readDiscovery(value: unknown): AnyDiscoveryDocument {
  return parseDiscovery(value, { release: detectRelease(value) });
}
