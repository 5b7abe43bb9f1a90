/** The element as a whole document. The tree holds no asynchronous component, so this is text at once. */
export function toDocument(element: { toString(): string }): string {
  return `<!doctype html>${element.toString()}`;
}
