import type { TakeoutAsked } from '../../src/render/html/takeout/takeout-form.tsx';

/** The takeout view as one comes to it. */
export const TAKEOUT: TakeoutAsked = { picked: new Map(), budget: 4, withoutDrinks: false };
