/** The text as one word of a POSIX shell, whatever it holds. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
