import type { MenuService } from 'menu-client';
import type { z } from 'zod';
import type { PageUrl } from '../output/restaurant-output.ts';
import { MENU_TOOLS } from '../tools/menu-tools.ts';
import type { ToolDefinition, ToolResult } from '../tools/tool-definition.ts';

/** What a server must be able to do to carry the tools: an `McpServer` of the official SDK 1.x or 2.x can. */
export interface ToolHost {
  registerTool(
    name: string,
    config: Pick<ToolDefinition, 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'>,
    callback: (input: z.output<z.ZodObject>) => Promise<ToolResult>,
  ): unknown;
}

export interface RegisterOptions {
  /** Milliseconds since 1970; decides what "today" is. @default Date.now */
  readonly clock?: () => number;
  /** Address of a restaurant's page for people; results have no `url` without it. */
  readonly pageUrl?: PageUrl;
}

/** Adds `search_restaurants` and `get_restaurant_menu` to a server, beside whatever it has of its own. */
export function registerMenuTools(
  server: ToolHost,
  service: MenuService,
  options: RegisterOptions = {},
): void {
  const { clock = Date.now, pageUrl } = options;
  for (const tool of MENU_TOOLS as unknown as readonly ToolDefinition[]) {
    const { name, title, description, inputSchema, outputSchema, annotations } = tool;
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, (input) =>
      tool.handle(service, input, { nowMs: clock(), ...(pageUrl === undefined ? {} : { pageUrl }) }),
    );
  }
}
