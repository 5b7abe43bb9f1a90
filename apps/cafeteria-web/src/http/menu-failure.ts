import { MenuError } from 'menu-client';
import type { PageErrorName } from './page.ts';

/** What a menu error is on the wire; undefined: not one that a visitor can cause or wait out. */
export function menuFailure(error: unknown): PageErrorName | undefined {
  if (!(error instanceof MenuError)) return undefined;
  switch (error.code) {
    case 'restaurant_not_found':
      return 'restaurantNotFound';
    case 'menu_not_found':
      return 'menuNotFound';
    case 'invalid_date':
      return 'badDate';
    default:
      return error.retryable ? 'operatorDown' : undefined;
  }
}
