/** The text that replaces a secret. */
export const REDACTED = '[redacted]';

/** Removes secrets from a text, both as they are and percent-encoded. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((redacted, secret) => (secret === '' ? redacted : redacted.replaceAll(secret, REDACTED)), text);
}
