import type { RostackClient } from '../client.ts';

/** A client that `connect` gave, with the types of an implementation or without. */
export type ProvidedClient = Pick<RostackClient, 'discovery' | 'close'>;
