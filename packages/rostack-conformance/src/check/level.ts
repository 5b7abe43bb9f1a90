/**
 * Levels of conformance, each with all before it: *speaks* (discovery, schemas, problems, headers), *reads* (lists and
 * items), *follows* (events), *survives* (what only a driver can bring about).
 */
export const LEVELS = ['speaks', 'reads', 'follows', 'survives'] as const;

/** A level of conformance. */
export type Level = (typeof LEVELS)[number];
