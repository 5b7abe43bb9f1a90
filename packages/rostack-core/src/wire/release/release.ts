/** Base URL of the protocol's specification; every URI of the protocol starts with it. */
export const SPEC_BASE_URL = 'https://spec.pmh.codes';

/** Name of the protocol version that both releases describe (protocol section 9). */
export const PROTOCOL_VERSION = 'rostack_v1';

/** WebSocket subprotocol of the gateway (protocol section 7). */
export const SUBPROTOCOL = 'rostack.v1';

/** Path of the discovery document at its origin (protocol section 2). */
export const DISCOVERY_PATH = '/.well-known/rostack';

/** The only dialect of owned schemas from release 2026-08-13 on. */
export const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Releases of the protocol's description, oldest first (protocol section 1). */
export const RELEASES = ['2026-08-12', '2026-08-13'] as const;

/** A label of a release. */
export type Release = (typeof RELEASES)[number];

/** The release that is assumed if none is named: the strictest one. */
export const DEFAULT_RELEASE = '2026-08-13' satisfies Release;
