import { estimateTokens, failureWords, firstCause, isMenuError } from 'menu-client';

/** The result of a tool call: a value for programs and the same for models to read, or a sentence that says what to do. */
export interface ToolResult {
  /** What models read: one text. */
  content: { type: 'text'; text: string }[];
  /** The same for programs, by the tool's `outputSchema`; absent for a failure. */
  structuredContent?: Record<string, unknown>;
  /** Present for a failure; `content` says what to do. */
  isError?: true;
  /** Both SDKs allow results to have unknown members. */
  [member: string]: unknown;
}

export function toolSuccess(structuredContent: Record<string, unknown>, text: string): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent };
}

/** The estimate of a result, which is quoted on its way, is at most 2 % too low. */
const ESTIMATE_MARGIN = 0.97;

/** Whether a model has to read at most so many tokens (o200k), text and value together. */
export function isWithin(maxTokens: number, { content, structuredContent }: ToolResult): boolean {
  const texts = [content[0]?.text ?? '', JSON.stringify(structuredContent) ?? ''];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0) <= maxTokens * ESTIMATE_MARGIN;
}

/** A sentence that says what to do. */
export function toolFailure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Tells a model what to do about an error. Any error but a `MenuError` is a fault of the program, which `onFault` gets too. */
export function explainError(error: unknown, onFault: (error: Error) => void): ToolResult {
  if (!isMenuError(error)) {
    onFault(error instanceof Error ? error : new Error(String(error)));
    return toolFailure('This server has a fault. Trying again will hardly help.');
  }
  switch (error.code) {
    case 'restaurant_not_found':
      return toolFailure(
        'This vendor has no restaurant with this id. Call search_restaurants and send vendor and id of one result.',
      );
    case 'invalid_date':
    case 'date_out_of_range':
      return toolFailure(error.message);
    case 'too_many_readings':
      return toolFailure(
        `Too many menus were asked for that had to be read first. Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} s.`,
      );
    default: {
      const { code, retryable } = firstCause(error);
      return toolFailure(
        `The operator's data could not be read: ${failureWords(code, 'en')}. ${
          retryable ? 'Try again in a minute.' : 'Trying again will not help.'
        }`,
      );
    }
  }
}
