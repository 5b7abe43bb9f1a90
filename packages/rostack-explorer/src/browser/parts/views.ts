/** What is shown of a resource. */
export const VIEWS = ['records', 'live'] as const;
export type ViewName = (typeof VIEWS)[number];
export const VIEW_TITLES = { records: 'Records', live: 'Live events' } as const;
