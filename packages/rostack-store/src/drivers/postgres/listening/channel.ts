/** The longest name of a channel, in bytes; `pg_notify` rejects longer ones. */
const MAX_CHANNEL_BYTES = 63;
/** No resource's name begins with it. */
const NOTE = '@';

/** The channel of a store's notifications. */
export function channelOf(schema: string): string {
  return `rostack_store_${schema}`;
}

/** Whether the name of the store's schema is short enough for a channel. */
export function hasChannel(schema: string): boolean {
  return Buffer.byteLength(channelOf(schema)) <= MAX_CHANNEL_BYTES;
}

/** The payload that a trigger sends when it has noted changes of an attached table whose leader sleeps. */
export function notePayload(attachment: number): string {
  return NOTE + attachment;
}

/** The number of the attachment; undefined for other payloads. */
export function attachmentOfNote(payload: string): number | undefined {
  return payload.startsWith(NOTE) ? Number(payload.slice(NOTE.length)) : undefined;
}
