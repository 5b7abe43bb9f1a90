const MAX_SHOWN_LENGTH = 80;

/** A piece of the caller's text for an error message: quoted, escaped, cut after 80 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text);
}
