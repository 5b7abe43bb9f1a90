import { MenuError } from 'menu-client';
import { type ToolResult, toolFailure } from './tool-definition.ts';

/**
 * A result that tells a model what to do about an error of the service.
 * @throws whatever is no `MenuError`: that is a fault of this program, not of the question
 */
export function explainError(error: unknown): ToolResult {
  if (!(error instanceof MenuError)) throw error;
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
