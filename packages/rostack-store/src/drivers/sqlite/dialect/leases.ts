import type { LeaseDialect } from '../../dialect/lease-dialect.ts';

const NOW_MS = `cast(unixepoch('subsec') * 1000 as integer)`;

export const sqliteLeases: LeaseDialect = {
  isLed: `leads_until_ms > ${NOW_MS} and leads_until_ms < ${NOW_MS} + 60000`,
  extend: (ms) => `leads_until_ms = ${NOW_MS} + ${ms}`,
  terms: (pairs) => `select value ->> 0, value ->> 1 from json_each(${pairs})`,
  // Only one transaction writes at a time.
  skipLocked: '',
};
