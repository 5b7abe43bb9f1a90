/** The two operators that the sandbox stands in for. */
export const VENDORS = ['welstory', 'shinsegae'] as const;

export type Vendor = (typeof VENDORS)[number];
