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
export interface ToolDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  /** The name that assistants call it by, such as `search_restaurants`. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** For assistants: what it does, and when to use it. */
  readonly description: string;
  /** Its arguments; the server parses them with it before it calls `handle`. */
  readonly inputSchema: Input;
  /** What `structuredContent` of a success looks like. */
  readonly outputSchema: Output;
  /** True if this package's card can show the tool's results. */
  readonly hasCard?: true;
  /** Hints for clients: it only reads, and what it reads is outside the server. */
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly idempotentHint: true;
    readonly destructiveHint: false;
    readonly openWorldHint: true;
  };
  /** Never throws: a failure is a result with `isError`. */
  handle(service: MenuService, input: z.output<Input>, context: ToolContext): Promise<ToolResult>;
}

/** The tools only read, and what they read comes from others. */
export const READ_ONLY = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: true,
} as const;
