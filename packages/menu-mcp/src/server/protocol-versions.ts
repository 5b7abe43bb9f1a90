/** Versions of MCP with a handshake, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Every version of MCP that is served, newest first; the newest has no handshake. */
export const PROTOCOL_VERSIONS = ['2026-07-28', ...HANDSHAKE_VERSIONS] as const;
