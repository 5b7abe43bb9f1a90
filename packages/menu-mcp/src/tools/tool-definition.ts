import type { MenuService } from 'menu-client';
import type { z } from 'zod';
import type { PhotoUrl } from '../output/menu-answer.ts';
import type { PageUrl } from '../output/restaurant-output.ts';
import type { DayResults } from './day-results.ts';
import type { ToolResult } from './tool-result.ts';

/** What a tool needs besides the service. */
export interface ToolContext {
  /** Milliseconds since 1970; decides what "today" is. */
  readonly nowMs: number;
  /** Addresses of web pages, if there are any. */
  readonly pageUrl?: PageUrl;
  /** Addresses of photos, if there are any. */
  readonly photoUrl?: PhotoUrl;
  /** Called with every error that is not a `MenuError`: a fault of the program, whose text no client sees. */
  readonly onFault: (error: Error) => void;
  /** Results of earlier calls. */
  readonly days?: DayResults;
}

/** A tool of this package, not bound to a server. */
export interface ToolDefinition {
  /** The name that assistants call it by, such as `search_restaurants`. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** For assistants: what it does, and when to use it. */
  readonly description: string;
  /** What clients see of its arguments. It accepts more than the tool: `handle` says what is wrong. */
  readonly inputSchema: z.ZodObject;
  /** What clients see of `structuredContent` of a success. */
  readonly outputSchema: z.ZodObject;
  /** True if this package's card can show the tool's results. */
  readonly hasCard?: true;
  /** Hints for clients: it only reads, and what it reads is outside the server. */
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly idempotentHint: true;
    readonly destructiveHint: false;
    readonly openWorldHint: true;
  };
  /** Never throws: wrong arguments and any failure are a result with `isError`. */
  handle(
    service: MenuService,
    input: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<ToolResult>;
}
