import type { MoverStatus } from 'rostack-store';
import type { TableCondition } from '../../cluster/peers/readiness.ts';

/** How a table is followed, for operators; of a failure, only its code and advice are shown, since messages of servers may name hosts. */
export function tableCondition({
  state,
  reason,
  fault,
  oldestUnmovedMs,
  loadedRows,
  estimatedRows,
}: MoverStatus): TableCondition {
  const told = fault === undefined ? reason : failure(fault);
  const oldestUnmovedSeconds = Math.floor(oldestUnmovedMs / 1_000);
  return {
    state,
    ...(told !== undefined && { reason: told }),
    ...(state === 'loading' && { loadedRows }),
    ...(estimatedRows !== undefined && { estimatedRows: Math.max(estimatedRows, loadedRows) }),
    ...(oldestUnmovedSeconds > 0 && { oldestUnmovedSeconds }),
  };
}

function failure({ advice, code, forMs, failures }: NonNullable<MoverStatus['fault']>): string {
  const what = advice ?? 'rows cannot be moved: see the log';
  const shown = code === undefined ? '' : ` (${code})`;
  return `${what}${shown}, for ${Math.round(forMs / 1_000)} s, ${failures} attempts`;
}
