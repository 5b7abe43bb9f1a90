/** The element as a whole document. The tree holds no asynchronous component, so this is text at once. */
export function toDocument(element: { toString(): string }): string {
  return `<!doctype html>${element.toString()}`;
}

/** `<` written as an escape: no text can end the script element around it. */
export const embeddedJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
