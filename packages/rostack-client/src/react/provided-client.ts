import type { RostackClient } from '../client/client.ts';

/** A client from `connect`, with the types of an implementation or without. */
export type ProvidedClient = Pick<RostackClient, 'discovery' | 'close'>;
