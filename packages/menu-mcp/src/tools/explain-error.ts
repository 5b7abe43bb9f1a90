import { MenuError } from 'menu-client';
import { type ToolResult, toolFailure } from './tool-result.ts';

/** A result that tells a model what to do about an error. Anything but a `MenuError` goes to `onFault` as well. */
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
