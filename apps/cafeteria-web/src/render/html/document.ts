/** What an element is as text. The tree holds no asynchronous component, so this is so at once. */
export function toText(element: { toString(): string }): string {
  return element.toString();
}

/** The element as a whole document. */
export function toDocument(element: { toString(): string }): string {
  return `<!doctype html>${toText(element)}`;
}
