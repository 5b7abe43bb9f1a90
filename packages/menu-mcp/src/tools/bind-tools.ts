import type { MenuService } from 'menu-client';
import type { PageUrl } from '../output/restaurant-output.ts';
import { DayResults } from './day-results.ts';
import { MENU_TOOLS } from './menu-tools.ts';
import type { ToolDefinition, ToolResult } from './tool-definition.ts';

export interface BindOptions {
  /** Milliseconds since 1970; decides what "today" is. @default Date.now */
  readonly clock?: () => number;
  /** Address of a restaurant's page for people; results have no `url` without it. */
  readonly pageUrl?: PageUrl;
}

/** A tool that knows its service and its clock. */
export interface BoundTool extends Omit<ToolDefinition, 'handle'> {
  /** @param input what `inputSchema` made of the arguments */
  readonly call: (input: Record<string, unknown>) => Promise<ToolResult>;
}

/** The tools over one service. Bind them once and register them on as many servers as there are. */
export function bindTools(service: MenuService, options: BindOptions = {}): readonly BoundTool[] {
  const { clock = Date.now, pageUrl } = options;
  const days = new DayResults();
  const context = { days, ...(pageUrl === undefined ? {} : { pageUrl }) };
  return (MENU_TOOLS as unknown as readonly ToolDefinition[]).map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
    call: (input) => tool.handle(service, input, { ...context, nowMs: clock() }),
  }));
}
