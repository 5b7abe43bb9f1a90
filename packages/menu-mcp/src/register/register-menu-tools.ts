import type { MenuService } from 'menu-client';
import { type BindOptions, bindTools } from '../tools/bind-tools.ts';
import type { ToolDefinition } from '../tools/tool-definition.ts';
import type { ToolResult } from '../tools/tool-result.ts';

/** A server that accepts tools, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface ToolHost {
  registerTool(
    name: string,
    config: Pick<ToolDefinition, 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'>,
    callback: (input: Record<string, unknown>) => Promise<ToolResult>,
  ): unknown;
}

/** Adds `search_restaurants` and `get_restaurant_menu` to a server that may have tools of its own. */
export function registerMenuTools(server: ToolHost, service: MenuService, options: BindOptions = {}): void {
  for (const { name, call, ...config } of bindTools(service, options))
    server.registerTool(name, config, (input) => call(input));
}
