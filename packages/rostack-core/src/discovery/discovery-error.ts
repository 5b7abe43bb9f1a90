import { type Fault, summarizeFaults } from '../model/fault.ts';

/** A value that was to be a discovery document is none. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';
  readonly code = 'invalid_discovery';
  readonly retryable = false;
  /** Everything that is wrong, those of the schema first. */
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`not a discovery document: ${summarizeFaults(faults)}`);
    this.faults = faults;
  }
}
