import type { Store } from 'rostack-store';
import type { AdminAppOptions } from './admin-options.ts';
import { AdminProblem } from './admin-problem.ts';

/** The store, for writing one resource. @throws AdminProblem when there is none, or another source feeds it */
export function writableStore({ running, readOnly, idPaths }: AdminAppOptions, resource: string): Store {
  const { store } = running();
  if (!idPaths.has(resource)) {
    throw new AdminProblem('resource_unknown', `There is no resource ${JSON.stringify(resource)}.`);
  }
  const source = readOnly.get(resource);
  if (source !== undefined) {
    throw new AdminProblem('resource_read_only', `${resource} comes from ${source}: write there.`);
  }
  if (store === undefined) {
    throw new AdminProblem('store_unavailable', 'The gateway is starting.', {
      headers: { 'Retry-After': '1' },
    });
  }
  return store;
}
