/** The implementation that the soak and the simulation serve: a post office. Two resources of one shape. */
export const RESOURCES = ['parcels', 'letters'] as const;

export const PERMISSIONS = {
  'post:read': 'Read what is posted.',
  'post:follow': 'Follow what is posted.',
} as const;

/** Event names by transition. */
export const EVENT_NAMES = { create: 'item.posted', update: 'item.moved', delete: 'item.gone' } as const;

export const EVENTS = {
  [EVENT_NAMES.create]: { transition: 'create' },
  [EVENT_NAMES.update]: { transition: 'update' },
  [EVENT_NAMES.delete]: { transition: 'delete' },
} as const;
