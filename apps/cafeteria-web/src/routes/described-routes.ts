import type { DescribedRoute } from '../answers/openapi/described-route.ts';
import { alarmCalendarRoute, alarmFeedRoute } from './alarms.ts';
import { dishesRoute } from './dishes.ts';
import { healthRoute } from './health.ts';
import { homeRoute } from './home/home.ts';
import { dayRoute } from './restaurant/day.ts';
import {
  dayCalendarRoute,
  dayFeedRoute,
  restaurantCalendarRoute,
  restaurantFeedRoute,
  siteFeedRoute,
} from './restaurant/feeds.ts';
import { menuRoute } from './restaurant/menu.ts';
import { restaurantRoute } from './restaurant/restaurant.ts';
import { weekRoute } from './restaurant/week.ts';
import { searchRoute } from './search.ts';

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
