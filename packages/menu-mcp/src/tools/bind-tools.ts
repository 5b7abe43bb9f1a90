import type { MenuService } from 'menu-client';
import { SHOWN_BY_CARD } from '../card/day-card.ts';
import { checkHost, checkService } from '../check-arguments.ts';
import type { PhotoUrl } from '../output/menu-answer.ts';
import type { PageUrl } from '../output/restaurant-output.ts';
import { compareMenus } from './compare-menus.ts';
import { DayResults } from './day-results.ts';
import { getRestaurantMenu } from './get-restaurant-menu.ts';
import { searchDishes } from './search-dishes.ts';
import { searchRestaurants } from './search-restaurants.ts';
import type { ToolContext, ToolDefinition } from './tool-definition.ts';
import type { ToolResult } from './tool-result.ts';

/** The tools of this package, in the order of their use. */
export const MENU_TOOLS = [
  searchRestaurants,
  getRestaurantMenu,
  searchDishes,
  compareMenus,
] as const satisfies readonly ToolDefinition[];

/** What the tools need besides a menu service. */
export interface BindOptions {
  /** Milliseconds since 1970; decides what "today" is. @default Date.now */
  readonly clock?: () => number;
  /** Address of a restaurant's web page; without it results have no `url`. */
  readonly pageUrl?: PageUrl;
  /** Address of a menu's photo; without it results have no photos, since the operators' own are not for everybody. */
  readonly photoUrl?: PhotoUrl;
  /** True if the server has the card that `registerMenuCard` adds: descriptions of tools then name it. @default false */
  readonly withCard?: boolean;
  /** Called with this program's own errors, whose text no client sees. @default faults are ignored */
  readonly onError?: (error: Error) => void;
}

/** A tool bound to its service and clock. */
export interface BoundTool extends Omit<ToolDefinition, 'handle' | 'hasCard'> {
  /** What hosts of MCP Apps show the results with. */
  readonly _meta?: Record<string, unknown>;
  /**
   * Answers a call; never throws: a failure is a result with `isError`.
   * @param input the arguments as they were sent
   */
  readonly call: (input: Record<string, unknown>) => Promise<ToolResult>;
}

/** Creates the context of each call. */
export function toolContext(options: BindOptions, days?: DayResults): () => ToolContext {
  const { clock = Date.now, pageUrl, photoUrl, onError = () => {} } = options;
  const constant = {
    onFault: onError,
    ...(pageUrl === undefined ? {} : { pageUrl }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
    ...(days === undefined ? {} : { days }),
  };
  return () => ({ ...constant, nowMs: clock() });
}

/**
 * The tools over one service. Bind them once and register them on any number of servers.
 * @throws MenuError `invalid_argument`
 */
export function bindTools(service: MenuService, options: BindOptions = {}): readonly BoundTool[] {
  checkService(service);
  const context = toolContext(options, new DayResults());
  return (MENU_TOOLS as readonly ToolDefinition[]).map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
    ...(options.withCard === true && tool.hasCard ? { _meta: { ...SHOWN_BY_CARD } } : {}),
    call: (input) => tool.handle(service, input, context()),
  }));
}

/** A server that accepts tools, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface ToolHost {
  /** Offers one tool. */
  registerTool(
    name: string,
    config: Omit<BoundTool, 'name' | 'call'>,
    callback: (input: Record<string, unknown>) => Promise<ToolResult>,
  ): unknown;
}

/**
 * Adds `search_restaurants`, `get_restaurant_menu`, `search_dishes` and `compare_menus` to a server that may have tools of its own.
 * @throws MenuError `invalid_argument`
 */
export function registerMenuTools(server: ToolHost, service: MenuService, options: BindOptions = {}): void {
  checkHost(server, 'registerTool');
  for (const { name, call, ...config } of bindTools(service, options))
    server.registerTool(name, config, (input) => call(input));
}
