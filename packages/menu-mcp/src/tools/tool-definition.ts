import type { MenuService } from 'menu-client';
import type { z } from 'zod';
import type { PageUrl } from '../output/restaurant-output.ts';
import type { DayResults } from './day-results.ts';

/** What a tool needs beside the service. */
export interface ToolContext {
  /** Milliseconds since 1970; decides what "today" is. */
  readonly nowMs: number;
  /** Addresses of pages for people, where there are any. */
  readonly pageUrl?: PageUrl;
  /** Told of errors that are no `MenuError`: faults of the program, whose text no client gets. */
  readonly onFault: (error: Error) => void;
  /** Results of earlier calls. */
  readonly days?: DayResults;
}

/** The result of a tool call: the structured value and the same as text, or a sentence that says what to do. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  /** Both SDKs let results carry members that they do not know. */
  [member: string]: unknown;
}

/** A tool of this package, bound to no server. */
export interface ToolDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Input;
  readonly outputSchema: Output;
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly idempotentHint: true;
    readonly destructiveHint: false;
    readonly openWorldHint: true;
  };
  /** Never throws: whatever goes wrong is a result with `isError`. */
  handle(service: MenuService, input: z.output<Input>, context: ToolContext): Promise<ToolResult>;
}

/** Both tools only read, and what they read is written by others. */
export const READ_ONLY = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: true,
} as const;

export function toolSuccess(structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

export function toolFailure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
