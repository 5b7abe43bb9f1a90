import type { openSession } from './session.ts';

/**
 * Loads the client, which is most of all the script, for those who connect. Zod reads its settings when models are made: they
 * have to stand before the client's modules run.
 */
export async function loadSession(): Promise<{ readonly openSession: typeof openSession }> {
  const { forbidCodeFromText } = await import('./zod-settings.ts');
  forbidCodeFromText();
  return import('./session.ts');
}
