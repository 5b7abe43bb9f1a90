import type { Resource } from 'rostack-core';
import type { CheckContext } from '../../check/check-context.ts';
import { listUrl } from './urls.ts';

/** The resources that a token may read; the main one by default. */
export async function readableResources(
  { discovery, http, tokens }: Pick<CheckContext, 'discovery' | 'http' | 'tokens'>,
  token: string = tokens.main,
): Promise<Resource[]> {
  const found: Resource[] = [];
  for (const resource of discovery.resources) {
    const { status } = await http.get(listUrl(resource, { limit: '1' }), { token });
    if (status === 200) found.push(resource);
  }
  return found;
}
