/** An element as text. No component in the tree is asynchronous, so the text is complete at once. */
export function toText(element: { toString(): string }): string {
  return element.toString();
}

/** The element as a whole document. */
export function toDocument(element: { toString(): string }): string {
  return `<!doctype html>${toText(element)}`;
}
