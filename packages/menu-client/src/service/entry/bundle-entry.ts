import type { Bundle, BundleItem, Menu } from '../../domain/menu.ts';
import { firstCause, type MenuError } from '../../domain/menu-error.ts';
import type { PeriodError } from '../../domain/period-status.ts';
import type { Reading } from '../../operator/operator.ts';

/** A bundle's items as they are kept: those last read, and why the last attempt failed if it did. */
export interface BundleEntry {
  readonly items: readonly BundleItem[];
  /** When `items` were read; absent until they were. */
  readonly fetchedAtMs?: number;
  readonly attemptedAtMs: number;
  /** Rows were dropped, so something may be missing. */
  readonly incomplete?: true;
  readonly error?: PeriodError;
}

/** By menu id. */
export type BundleEntries = Readonly<Record<string, BundleEntry>>;

/** One bundle's answer: its items, or why they could not be read. */
export type BundleReading = Reading<readonly BundleItem[]> | { readonly error: MenuError };

/** The kept items of bundles that are still offered as they were when the items were read. */
export function carryBundles(
  known: BundleEntries | undefined,
  before: readonly Menu[],
  after: readonly Menu[],
): BundleEntries {
  const offered = new Map(before.map((menu) => [menu.id, offerOf(menu)]));
  return Object.fromEntries(
    after.flatMap((menu) => {
      const entry = known?.[menu.id];
      return entry !== undefined && offered.get(menu.id) === offerOf(menu) ? [[menu.id, entry]] : [];
    }),
  );
}

function offerOf({ name, components }: Menu): string {
  return JSON.stringify([name, components.map((component) => [component.name, component.nutrition])]);
}

/** The items after an attempt. One that failed, or found none where there were some, keeps what was known. */
export function mergeBundle(
  known: BundleEntry | undefined,
  reading: BundleReading,
  nowMs: number,
): BundleEntry {
  const before = { items: known?.items ?? [], ...fetchedAt(known?.fetchedAtMs) };
  if ('error' in reading) {
    const { code, retryable } = firstCause(reading.error);
    return { ...before, attemptedAtMs: nowMs, error: { code, retryable } };
  }
  if (reading.value.length === 0 && before.items.length > 0)
    return { ...before, attemptedAtMs: nowMs, error: { code: 'operator_answer_empty', retryable: true } };
  return {
    items: reading.value,
    fetchedAtMs: nowMs,
    attemptedAtMs: nowMs,
    ...(reading.droppedRows > 0 ? { incomplete: true } : {}),
  };
}

/** The bundle as it is shown. */
export function toBundle({ items, fetchedAtMs, error }: BundleEntry): Bundle {
  const status =
    error === undefined ? (items.length === 0 ? 'empty' : 'ok') : items.length === 0 ? 'failed' : 'stale';
  return {
    status,
    items,
    ...(status === 'failed' || fetchedAtMs === undefined
      ? {}
      : { fetchedAt: new Date(fetchedAtMs).toISOString() }),
    ...(error === undefined ? {} : { error }),
  };
}

function fetchedAt(ms: number | undefined): Pick<BundleEntry, 'fetchedAtMs'> {
  return ms === undefined ? {} : { fetchedAtMs: ms };
}
