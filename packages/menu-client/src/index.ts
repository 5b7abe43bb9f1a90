export type { DailyMenu, MealCode, MealPeriod, PeriodError, PeriodStatus } from './domain/daily-menu.ts';
export { MEAL_CODES } from './domain/daily-menu.ts';
export type { Menu, MenuComponent, MenuPhoto } from './domain/menu.ts';
export type { Nutrition } from './domain/nutrition.ts';
export type { Restaurant, Vendor } from './domain/restaurant.ts';
export { VENDORS } from './domain/restaurant.ts';
export type { MenuHealth, MenuService, OperatorHealth, SearchOptions } from './service/menu-service.ts';
