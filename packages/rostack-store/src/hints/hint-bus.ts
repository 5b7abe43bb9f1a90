/**
 * Carries hints between processes that share a database: "these resources may have new changes". Hints may be lost, doubled, late
 * or false without any harm but a later look: the log in the database is the truth.
 */
export interface HintBus {
  /** Tells the other processes; returns at once, never throws, and may drop the hint. */
  publish(resources: readonly string[]): void;
  /**
   * Listens until the returned function is called.
   * @param onHint called with names of resources, known here or not; undefined: any may have changed
   * @param onFailure called when hints have stopped coming; the bus tries again by itself
   */
  subscribe(
    onHint: (resources: readonly string[] | undefined) => void,
    onFailure: (error: unknown) => void,
  ): () => void;
}
