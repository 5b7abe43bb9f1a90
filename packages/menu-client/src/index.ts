export type { AskableDates } from './domain/askable-dates.ts';
export { askableDates } from './domain/askable-dates.ts';
export {
  addDays,
  dayStartMs,
  daysBetween,
  formatCompactDate,
  isCalendarDate,
  parseCompactDate,
  parseDate,
  seoulToday,
  weekday,
} from './domain/calendar-date.ts';
export type { Choice } from './domain/choice.ts';
export { choicesOf, isWholeMeal } from './domain/choice.ts';
export type { DailyMenu, KnownMealCode, MealCode, MealPeriod } from './domain/daily-menu.ts';
export { MEAL_CODES } from './domain/daily-menu.ts';
export type { DayChange } from './domain/day-change.ts';
export type { Bundle, BundleItem, Menu, MenuComponent, MenuPhoto, Nutrition } from './domain/menu.ts';
export type { MenuChange } from './domain/menu-change.ts';
export { compareMenus } from './domain/menu-change.ts';
export type { MenuErrorCode, MenuErrorOptions } from './domain/menu-error.ts';
export {
  firstCause,
  isMenuError,
  MENU_ERRORS,
  MenuError,
  MenuStoreError,
  OperatorError,
} from './domain/menu-error.ts';
export type { PeriodError, PeriodStatus } from './domain/period-status.ts';
export type { MealsFromNow } from './domain/present-meal.ts';
export {
  inOrderOfDay,
  mealOrder,
  mealSlot,
  mealsFromNow,
  nextMealMs,
  presentMeal,
  usualHours,
} from './domain/present-meal.ts';
export type { Restaurant, Vendor } from './domain/restaurant.ts';
export { MAX_RESTAURANT_ID_LENGTH, parseVendor, restaurantSlug, VENDORS } from './domain/restaurant.ts';
export type { Clock } from './http/clock.ts';
export { systemClock } from './http/clock.ts';
export type { OperatorHttpOptions } from './http/operator-http.ts';
export type { RetryPolicy } from './http/retry.ts';
export type { Fetch } from './http/send-request.ts';
export type { Environment, OperatorEnvironment } from './open-operators.ts';
export { OPERATOR_VARIABLES, openOperators, readOperatorEnvironment } from './open-operators.ts';
export type {
  AccountRefusal,
  Exclusively,
  Meal,
  MealReading,
  Operator,
  OperatorNotes,
  Reading,
  ReadOptions,
  UnknownValue,
} from './operator/operator.ts';
export type { AskedDay, AskedText } from './search/asked-text.ts';
export { parseAsked, resolveDate, resolveDay, saysNothing } from './search/asked-text.ts';
export type { DishQuery, DishRank } from './search/dish-query.ts';
export { parseDishQuery } from './search/dish-query.ts';
export type { TextRange } from './search/matched-ranges.ts';
export { matchedRanges } from './search/matched-ranges.ts';
export { RestaurantIndex } from './search/restaurant-index.ts';
export type { DishCount, DishList, DishMatch, DishSearchOptions } from './service/contract/dish-list.ts';
export type {
  HealthStatus,
  MenuHealth,
  MenuReading,
  MenuService,
  OperatorHealth,
  ReadSubject,
  RestaurantList,
  SearchOptions,
} from './service/contract/menu-service.ts';
export type { UnreadOperator } from './service/contract/unread-operator.ts';
export type { WaitOptions } from './service/contract/wait-options.ts';
export { createMenuService } from './service/create-menu-service.ts';
export { dishDates, findDishes } from './service/dish/dish-search.ts';
export type { Freshness } from './service/entry/freshness.ts';
export type { MenuServiceOptions } from './service/menu-service-options.ts';
export type { CircuitOptions } from './service/operator/operator-gate.ts';
export type { PrefetchOptions } from './service/reading-ahead/prefetcher.ts';
export type { PlaneatOperatorOptions } from './shinsegae/planeat-operator.ts';
export { planeatOperator } from './shinsegae/planeat-operator.ts';
export type { MemoryMenuStoreOptions } from './store/memory-menu-store.ts';
export { memoryMenuStore } from './store/memory-menu-store.ts';
export type { DayRange, EntryKey, InterestCount, MenuStore, StoredEntry } from './store/menu-store.ts';
export type { StoreAddress } from './store/open-menu-store.ts';
export { openMenuStore, parseStoreUrl } from './store/open-menu-store.ts';
export { escapedOutput } from './text/escaped-output.ts';
export { estimateTokens } from './text/estimate-tokens.ts';
export type { FailureLanguage } from './text/failure-words.ts';
export { failureWords } from './text/failure-words.ts';
export type { WelstoryOperatorOptions } from './welstory/welstory-operator.ts';
export { welstoryOperator } from './welstory/welstory-operator.ts';
