import { getRestaurantMenu } from './get-restaurant-menu.ts';
import { searchRestaurants } from './search-restaurants.ts';

/** The tools of this package, in the order of their use. */
export const MENU_TOOLS = [searchRestaurants, getRestaurantMenu] as const;
