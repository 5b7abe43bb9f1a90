/** What stands for a secret. */
export const REDACTED = '[redacted]';

/** Takes secrets out of a text, as they are and percent-encoded. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((redacted, secret) => (secret === '' ? redacted : redacted.replaceAll(secret, REDACTED)), text);
}
