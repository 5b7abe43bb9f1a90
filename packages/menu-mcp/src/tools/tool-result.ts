/** The result of a tool call: the structured value and the same as text, or a sentence that says what to do. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  /** Both SDKs let results carry members that they do not know. */
  [member: string]: unknown;
}

export function toolSuccess(structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

export function toolFailure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
