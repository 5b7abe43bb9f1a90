import type { Query, Row, Sending, Step, Work } from './database.ts';

const NO_ROWS: readonly Row[] = [];

/** Drives work whose queries run at once; what one throws is thrown into the work, where it waits for that query. */
export function driveSync<T>(work: Work<T>, run: (query: Query) => readonly Row[]): T {
  const sent = new Map<Sending, readonly Row[]>();
  const take = (step: Step): readonly Row[] => {
    if (step.kind === 'receive') return sent.get(step.sending) ?? NO_ROWS;
    if (step.kind !== 'send') return run(step);
    sent.set(step, run(step.query));
    return NO_ROWS;
  };
  let step = work.next();
  while (step.done !== true) {
    let rows: readonly Row[];
    try {
      rows = take(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}

/** As `driveSync`, one query after the other. */
export async function drive<T>(work: Work<T>, run: (query: Query) => Promise<readonly Row[]>): Promise<T> {
  const sent = new Map<Sending, readonly Row[]>();
  const take = async (step: Step): Promise<readonly Row[]> => {
    if (step.kind === 'receive') return sent.get(step.sending) ?? NO_ROWS;
    if (step.kind !== 'send') return run(step);
    sent.set(step, await run(step.query));
    return NO_ROWS;
  };
  let step = work.next();
  while (step.done !== true) {
    let rows: readonly Row[];
    try {
      rows = await take(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}
