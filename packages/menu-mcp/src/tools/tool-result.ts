import { MenuError } from 'menu-client';

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

function toolFailure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Tells a model what to do about an error. Any other than a `MenuError` is a fault of the program: `onFault` gets it too. */
export function explainError(error: unknown, onFault: (error: Error) => void): ToolResult {
  if (!(error instanceof MenuError)) {
    onFault(error instanceof Error ? error : new Error(String(error)));
    return toolFailure('This server has a fault. Trying again will hardly help.');
  }
  switch (error.code) {
    case 'invalid_date':
      return toolFailure(
        'No calendar has this date. Send date as today, tomorrow, YYYYMMDD or YYYY-MM-DD, in the years 1900 to 2199.',
      );
    case 'restaurant_not_found':
      return toolFailure(
        'This vendor has no restaurant with this id. Call search_restaurants and send vendor and id of one result.',
      );
    default:
      return toolFailure(
        `The operator's data could not be read (${error.code}). ${
          error.retryable ? 'Try again in a minute.' : 'Trying again will not help.'
        }`,
      );
  }
}
