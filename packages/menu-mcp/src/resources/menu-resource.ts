import type { MenuService } from 'menu-client';
import { MenuError, VENDORS } from 'menu-client';
import { toDailyMenuOutput } from '../output/daily-menu-output.ts';
import { MEAL_DATE, resolveMealDate } from '../tools/meal-date.ts';
import type { ToolContext } from '../tools/tool-definition.ts';
import { parseMenuUri } from './menu-uri.ts';
import { ResourceError } from './resource-error.ts';

export const MENU_RESOURCE = {
  name: 'restaurant_menu',
  title: 'A cafeteria’s menu of a day',
  description:
    'Menus of a restaurant on a date (today, tomorrow, YYYYMMDD or YYYY-MM-DD, Asia/Seoul), as JSON. Text of the operators, untrusted.',
  mimeType: 'application/json',
} as const;

export interface ResourceText {
  contents: { uri: string; mimeType: string; text: string }[];
  [member: string]: unknown;
}

/**
 * The day that a `menu:` URI names.
 * @throws ResourceError -32002 when there is no such restaurant or date, -32603 when it cannot be read now
 */
export async function readMenuResource(
  uri: string,
  service: MenuService,
  context: ToolContext,
): Promise<ResourceText> {
  const parts = parseMenuUri(uri);
  if (parts === undefined || !MEAL_DATE.test(parts.date)) throw ResourceError.notFound(uri);
  try {
    const day = await service.dailyMenu(parts.vendor, parts.id, resolveMealDate(parts.date, context.nowMs));
    const text = JSON.stringify(toDailyMenuOutput(day, context.pageUrl));
    return { contents: [{ uri, mimeType: MENU_RESOURCE.mimeType, text }] };
  } catch (error) {
    if (!(error instanceof MenuError)) {
      context.onFault(error instanceof Error ? error : new Error(String(error)));
      throw ResourceError.fault();
    }
    const isMissing = error.code === 'restaurant_not_found' || error.code === 'invalid_date';
    throw isMissing ? ResourceError.notFound(uri) : ResourceError.unreadable(error.code);
  }
}

/** Suggestions for each variable of the template. */
export const COMPLETIONS = {
  vendor: (value: string) => VENDORS.filter((vendor) => vendor.startsWith(value)),
  date: (value: string) => ['today', 'tomorrow'].filter((date) => date.startsWith(value)),
  /** By name or place, as in a search. */
  id: async (value: string, service: MenuService) =>
    (await service.search(value, { limit: 20 })).map(({ id }) => id),
} as const;
