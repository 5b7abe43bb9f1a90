import { join } from 'node:path';
import type { HintBus } from 'rostack-store';

/** A database of its own for the gateways and writers of a soak; gone at the end of it. */
export interface SoakDatabase extends AsyncDisposable {
  readonly kind: 'postgres' | 'sqlite';
  /** For gateways and writers: the way that faults lie on. */
  readonly url: string;
  /** For the one who judges: no fault lies on it but those of the database itself. */
  readonly directUrl: string;
  /** How writers tell others of their changes; undefined: by themselves. */
  readonly hints: HintBus | undefined;
  /** Sets how many hints are lost from now on, 0 to 1; others are doubled or late. */
  loseHints(share: number): void;
  /** Breaks every connection and answers nobody for this long. Absent where a database has no connections. */
  restart?(downMs: number): Promise<void>;
  /** Ends this share (0 to 1) of the connections that are in use, in the middle of their queries. */
  endConnections?(share: number): Promise<void>;
  /** Ends the connections on which gateways listen for hints. */
  endListeners?(): Promise<void>;
}

/** One file; its writers are other processes than the gateway. */
export function createSqliteSoakDatabase(folder: string): SoakDatabase {
  const url = `sqlite:${join(folder, 'soak.db')}`;
  return {
    kind: 'sqlite',
    url,
    directUrl: url,
    hints: undefined,
    loseHints: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
