import type { JsonObject } from 'rostack-core';

/** Changes the target from behind. */
export interface Driver extends AsyncDisposable {
  /** Writes a record of a resource. */
  put(resource: string, record: JsonObject): Promise<void>;
  /** Deletes a record. */
  delete(resource: string, id: string): Promise<void>;
}
