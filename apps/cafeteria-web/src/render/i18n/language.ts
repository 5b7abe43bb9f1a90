export const LANGUAGES = ['ko', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(text: string | undefined): text is Language {
  return text === 'ko' || text === 'en';
}

/** Korean unless English is preferred: of our languages, the one with the highest q; the first named wins ties. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: Language = 'ko';
  let bestQ = 0;
  for (const part of (acceptLanguage ?? '').split(',')) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = range.split('-', 1)[0]?.trim();
    const weight = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)/.exec(parameter)?.[1]).find(Boolean);
    const q = weight === undefined ? 1 : Number(weight);
    if (isLanguage(language) && q > bestQ) {
      best = language;
      bestQ = q;
    }
  }
  return best;
}
