/** Browsers do not say why a connection failed, by a code or otherwise. */
export const REASONS: Readonly<Record<string, string>> = {};
