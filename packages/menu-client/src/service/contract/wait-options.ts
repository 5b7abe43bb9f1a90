/** How long an answer may wait for what has to be read first. */
export interface WaitOptions {
  /**
   * In ms; 0 answers from the cache at once. What is read goes on being read afterwards, and nobody waits again for a read
   * that has taken that long already. @default `deadlineMs` of the service
   */
  readonly waitMs?: number;
}
