import type { BoundTool } from '../tools/bind-tools.ts';

/** A `tools/call` that needs no server to answer it: the tool exists and its arguments are what it wants. */
export interface ToolCall {
  readonly id: string | number;
  readonly tool: BoundTool;
  readonly input: Record<string, unknown>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The call that a JSON-RPC message asks for; undefined for anything that is not right in every way. */
export function parseToolCall(message: unknown, tools: readonly BoundTool[]): ToolCall | undefined {
  if (!isObject(message) || message.jsonrpc !== '2.0' || message.method !== 'tools/call') return undefined;
  const { id, params } = message;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (!isObject(params)) return undefined;
  const tool = tools.find(({ name }) => name === params.name);
  const parsed = tool?.inputSchema.safeParse(params.arguments ?? {});
  if (tool === undefined || parsed?.success !== true) return undefined;
  return { id: id as string | number, tool, input: parsed.data };
}
