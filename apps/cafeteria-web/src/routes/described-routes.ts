import type { DescribedRoute } from '../answers/openapi/described-route.ts';
import { alarmCalendarRoute, alarmFeedRoute } from './alarms.ts';
import { dayRoute } from './day.ts';
import { dishesRoute } from './dishes.ts';
import {
  dayCalendarRoute,
  dayFeedRoute,
  restaurantCalendarRoute,
  restaurantFeedRoute,
  siteFeedRoute,
} from './feeds.ts';
import { healthRoute } from './health.ts';
import { homeRoute } from './home/home.ts';
import { menuRoute } from './menu.ts';
import { restaurantRoute } from './restaurant.ts';
import { searchRoute } from './search.ts';
import { weekRoute } from './week.ts';

/** The routes that `/openapi.json` describes, in its order. */
export const DESCRIBED_ROUTES: readonly DescribedRoute[] = [
  searchRoute,
  dishesRoute,
  homeRoute,
  alarmCalendarRoute,
  alarmFeedRoute,
  restaurantRoute,
  dayRoute,
  menuRoute,
  weekRoute,
  dayFeedRoute,
  dayCalendarRoute,
  restaurantFeedRoute,
  restaurantCalendarRoute,
  siteFeedRoute,
  healthRoute,
];
