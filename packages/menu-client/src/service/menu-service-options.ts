import type { MenuChange } from '../domain/menu-change.ts';
import type { MenuError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { Clock } from '../http/clock.ts';
import type { Operator, UnknownValue } from '../operator/operator.ts';
import type { MenuStore } from '../store/menu-store.ts';
import type { MenuReading, ReadSubject } from './contract/menu-service.ts';
import type { Freshness } from './entry/freshness.ts';
import type { CircuitOptions } from './operator/operator-gate.ts';
import type { PrefetchOptions } from './reading-ahead/prefetcher.ts';

/** What a service reads, and how long it trusts what it read. */
export interface MenuServiceOptions {
  /** At most one per vendor; closed with the service. */
  readonly operators: readonly Operator[];
  /** Closed with the service. @default a store in memory */
  readonly store?: MenuStore;
  /**
   * Decides what is fresh and which day it is; pass another one in tests.
   * @default systemClock
   */
  readonly clock?: Clock;
  /**
   * How long each kind of data is fresh; what is left out has its default.
   * @default see each
   */
  readonly freshness?: Partial<Freshness>;
  /**
   * When a failing operator is left alone for a while; what is left out has its default.
   * @default see each
   */
  readonly circuit?: Partial<CircuitOptions>;
  /**
   * How long one answer may wait for an operator, in ms.
   * @default 8000
   */
  readonly deadlineMs?: number;
  /** Keeps the coming days of every restaurant warm; `true` for the defaults. @default false */
  readonly prefetch?: boolean | Partial<PrefetchOptions>;
  /**
   * Called in a question's asynchronous context before the question causes a reading of menus; one that the cache or a
   * reading under way answers causes none. If it throws a MenuError, such as `too_many_readings`, the cache answers; if
   * nothing is kept, the question fails with that error. @default every question may
   */
  readonly admitReading?: () => Promise<void>;
  /**
   * Called for each menu that a new reading adds, changes or withdraws, by the process that kept the reading.
   * @default not called
   */
  readonly onChange?: (change: MenuChange) => void;
  /**
   * Called when this process kept a new reading, or found one that another process kept: anything derived from the
   * earlier one is out of date. Readings of other processes are noticed only when the entry is due to be checked again.
   */
  readonly onReading?: (reading: MenuReading) => void;
  /**
   * Called with the number of rows of an answer that could not be read.
   * @default not called
   */
  readonly onDroppedRows?: (vendor: Vendor, droppedRows: number) => void;
  /**
   * Called when an operator refuses the account, once until it is accepted: a person has to act, see `needsPerson` of
   * `health`.
   * @default not called
   */
  readonly onRefused?: (vendor: Vendor, error: MenuError) => void;
  /**
   * Called for a value of an answer whose meaning is not known, such as a new word for "sold out": once for each member and
   * value, for the first 100 of an operator.
   * @default not called
   */
  readonly onUnknownValue?: (vendor: Vendor, unknown: UnknownValue) => void;
  /**
   * Called when an operator answered but none of it could be read: its API may have changed, and this package must follow.
   * @default not called
   */
  readonly onUnreadable?: (vendor: Vendor, what: ReadSubject, error: MenuError) => void;
  /**
   * Called with errors that no caller was waiting for, except for failures of the operators.
   * @default errors are ignored
   */
  readonly onBackgroundError?: (error: unknown) => void;
}
