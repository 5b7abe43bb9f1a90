/**
 * Levels of conformance, each including all before it: *speaks* (discovery, schemas, problems, headers), *reads* (lists and items),
 * *follows* (events), *survives* (what only a driver can cause).
 */
export const LEVELS = ['speaks', 'reads', 'follows', 'survives'] as const;

/** A level of conformance. */
export type Level = (typeof LEVELS)[number];
