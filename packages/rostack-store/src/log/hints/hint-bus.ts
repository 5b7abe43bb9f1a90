/**
 * Carries hints between processes that share a database: "these resources may have new changes". Hints may be lost, duplicated, late or
 * false; the only harm is that changes are noticed later. The log in the database is the truth.
 */
export interface HintBus {
  /** Notifies the other processes; returns at once, never throws, and may drop the hint. */
  publish(resources: readonly string[]): void;
  /**
   * Listens until the returned function is called.
   * @param onHint called with names of resources, which may be unknown here; undefined means that any may have changed
   * @param onFailure called when hints stop coming; the bus retries by itself
   */
  subscribe(
    onHint: (resources: readonly string[] | undefined) => void,
    onFailure: (error: unknown) => void,
  ): () => void;
}
