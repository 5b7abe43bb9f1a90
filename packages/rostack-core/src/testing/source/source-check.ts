import type { SourceTrial } from './source-trial.ts';

/** A check of record sources, before it is bound to a target. */
export interface SourceCheck {
  readonly name: string;
  /** The ability of a target that it needs. */
  readonly needs?: 'prune' | 'cutOff';
  readonly attempt: (trial: SourceTrial) => Promise<void>;
}
