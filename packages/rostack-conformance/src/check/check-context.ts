import type { AnyDiscoveryDocument, Release } from 'rostack-core';
import type { SeededRandom } from 'rostack-core/testing';
import type { Clock } from '../base/clock.ts';
import type { HttpProbe } from '../probe/http/http-probe.ts';
import type { Driver } from './driver.ts';
import type { Findings } from './findings.ts';
import type { Tokens } from './tokens.ts';

/** What a check works with. */
export interface CheckContext {
  /** The target's discovery document, which is valid. */
  readonly discovery: AnyDiscoveryDocument;
  readonly release: Release;
  readonly http: HttpProbe;
  /** This check's own generator, which gives the same numbers for the same seed and check. */
  readonly random: SeededRandom;
  readonly tokens: Tokens;
  readonly findings: Findings;
  readonly driver?: Driver | undefined;
  readonly clock: Clock;
  /** How long live traffic may be watched; 0 if that was not requested. */
  readonly observeMs: number;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}
