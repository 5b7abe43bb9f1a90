import { z } from 'zod';

/** Zod would test whether it can compile code from text, which the page's content security policy forbids and reports. */
export const forbidCodeFromText = (): void => {
  z.config({ jitless: true });
};
