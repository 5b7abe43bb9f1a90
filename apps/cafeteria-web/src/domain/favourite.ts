import type { Restaurant, Vendor } from 'menu-client';

/** One of "my restaurants" that cannot be looked up now; it keeps its place among the others. */
export interface UnreadFavourite {
  readonly vendor: Vendor;
  readonly id: string;
}

export type Favourite = Restaurant | UnreadFavourite;

export function isRead(favourite: Favourite): favourite is Restaurant {
  return 'name' in favourite;
}
