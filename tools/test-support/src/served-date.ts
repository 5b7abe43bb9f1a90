import { addDays, seoulToday, type Vendor } from 'menu-client';
import type { Sandbox } from 'menu-sandbox';

/** A date of the last weeks, `YYYY-MM-DD`, on which the restaurant serves every meal: for programs with a clock of their own. */
export function servedDate(sandbox: Sandbox, vendor: Vendor, id: string): string {
  const today = seoulToday(Date.now());
  const dates = Array.from({ length: 28 }, (_, back) => addDays(today, -back));
  const served = dates.find((date) =>
    sandbox.plan(vendor, id, date).every(({ courses }) => courses.length > 0),
  );
  if (served === undefined) throw new Error(`${id} serves nothing`);
  return served;
}
