import { type ClientMessage, ClientMessageError, parseClientMessage } from 'rostack-core';

export type MessageReading =
  | { readonly kind: 'message'; readonly message: ClientMessage }
  | { readonly kind: 'not-json' }
  /** JSON, but no message of a client; `fault` says what to do about it. */
  | { readonly kind: 'malformed'; readonly fault: string };

/** Reads one text frame of a client. */
export function readMessage(text: string): MessageReading {
  try {
    return { kind: 'message', message: parseClientMessage(text) };
  } catch (error) {
    if (!(error instanceof ClientMessageError)) throw error;
    return isJson(text) ? { kind: 'malformed', fault: error.message } : { kind: 'not-json' };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
