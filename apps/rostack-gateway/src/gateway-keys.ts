import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { ensureSecrets, type GatewaySecrets } from './secrets-file.ts';

const KEY_BYTES = 32;

/** Three keys from one secret (HKDF-SHA-256, RFC 5869): gateways that share the secret share the keys. */
export function deriveKeys(secret: string): GatewaySecrets {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, 'rostack-gateway', purpose, KEY_BYTES));
  return {
    principalIdKey: derive('principal-id'),
    pageCursorKey: derive('page-cursor'),
    eventCursorKey: derive('event-cursor'),
  };
}

/** The keys of a configuration: from its secret, or from a file in the data folder, made when it is missing. */
export async function gatewayKeys(config: {
  readonly keys: string | undefined;
  readonly dataDir: string;
}): Promise<GatewaySecrets> {
  return config.keys === undefined
    ? ensureSecrets(join(config.dataDir, 'secrets.json'))
    : deriveKeys(config.keys);
}
