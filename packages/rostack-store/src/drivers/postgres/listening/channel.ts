/** The longest name of a channel, in bytes; what is longer `pg_notify` refuses. */
const MAX_CHANNEL_BYTES = 63;
/** No resource has a name that begins so. */
const NOTE = '@';

/** The channel of a store's notifications. */
export function channelOf(schema: string): string {
  return `rostack_store_${schema}`;
}

/** Whether the store's schema is short enough to have a channel. */
export function hasChannel(schema: string): boolean {
  return Buffer.byteLength(channelOf(schema)) <= MAX_CHANNEL_BYTES;
}

/** What a trigger sends when it has noted changes of an attached table whose leader sleeps. */
export function notePayload(attachment: number): string {
  return NOTE + attachment;
}

/** The number of the attachment; undefined if the payload is another one. */
export function attachmentOfNote(payload: string): number | undefined {
  return payload.startsWith(NOTE) ? Number(payload.slice(NOTE.length)) : undefined;
}
