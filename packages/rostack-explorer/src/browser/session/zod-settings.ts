import { z } from 'zod';

/** Zod would try whether it may make code of text, which the page's content security policy forbids and reports. */
export const forbidCodeFromText = (): void => {
  z.config({ jitless: true });
};
