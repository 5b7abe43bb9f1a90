import type { AnyDiscoveryDocument, Resource } from 'rostack-core';
import { UsageError } from '../http/error/errors.ts';

/** The resource as discovery declares it. @throws UsageError `invalid_options` */
export function findResource({ resources }: AnyDiscoveryDocument, name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found !== undefined) return found;
  const names = resources.map((resource) => resource.name).join(', ');
  throw new UsageError(`the server has no resource "${name}"; it has: ${names}`);
}
