import type { LeaseDialect } from '../../dialect/lease-dialect.ts';

export const postgresLeases: LeaseDialect = {
  isLed: `leads_until > clock_timestamp() and leads_until < clock_timestamp() + interval '1 minute'`,
  extend: (ms) => `leads_until = clock_timestamp() + ${ms} * interval '1 millisecond'`,
  terms: (pairs) =>
    `select pair ->> 0, (pair ->> 1)::bigint from json_array_elements(${pairs}::json) as pair`,
  skipLocked: ' for update skip locked',
};
