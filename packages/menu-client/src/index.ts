export {
  addDays,
  dayStartMs,
  daysBetween,
  formatCompactDate,
  isCalendarDate,
  parseDate,
  seoulToday,
  weekday,
} from './domain/calendar-date.ts';
export type { DailyMenu, MealCode, MealPeriod, PeriodError, PeriodStatus } from './domain/daily-menu.ts';
export { MEAL_CODES } from './domain/daily-menu.ts';
export type { Menu, MenuComponent, MenuPhoto } from './domain/menu.ts';
export type { MenuChange } from './domain/menu-change.ts';
export { compareMenus } from './domain/menu-change.ts';
export type { Nutrition } from './domain/nutrition.ts';
export type { Restaurant, Vendor } from './domain/restaurant.ts';
export { VENDORS } from './domain/restaurant.ts';
export { restaurantSlug } from './domain/restaurant-slug.ts';
export type { MenuErrorCode, MenuErrorOptions } from './error/menu-error.ts';
export { MENU_ERRORS, MenuError, MenuStoreError, OperatorError } from './error/menu-error.ts';
export type { Clock } from './http/clock.ts';
export { systemClock } from './http/clock.ts';
export type { OperatorHttpOptions } from './http/operator-http.ts';
export type { RetryPolicy } from './http/retry.ts';
export type { Fetch } from './http/send-request.ts';
export type { Exclusively, Meal, MealReading, Operator, Reading, ReadOptions } from './operator/operator.ts';
export { RestaurantIndex } from './search/restaurant-index.ts';
export type { MenuServiceOptions } from './service/create-menu-service.ts';
export { createMenuService } from './service/create-menu-service.ts';
export type { Freshness } from './service/freshness.ts';
export type { MenuReading } from './service/menu-reading.ts';
export type { MenuHealth, MenuService, OperatorHealth, SearchOptions } from './service/menu-service.ts';
export type { CircuitOptions } from './service/operator-gate.ts';
export type { PrefetchOptions } from './service/prefetcher.ts';
export type { PlaneatOperatorOptions } from './shinsegae/planeat-operator.ts';
export { planeatOperator } from './shinsegae/planeat-operator.ts';
export type { MemoryMenuStoreOptions } from './store/memory-menu-store.ts';
export { memoryMenuStore } from './store/memory-menu-store.ts';
export type { DayRange, EntryKey, MenuStore, StoredEntry } from './store/menu-store.ts';
export { openMenuStore } from './store/open-menu-store.ts';
export type { WelstoryOperatorOptions } from './welstory/welstory-operator.ts';
export { welstoryOperator } from './welstory/welstory-operator.ts';
