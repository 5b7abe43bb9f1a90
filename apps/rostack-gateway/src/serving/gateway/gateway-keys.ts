import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { defineError, parseStrictJson } from 'rostack-core';
import { createPrincipalIdDeriver, deriveKeys, type ServerKeys } from 'rostack-server';
import { z } from 'zod';
import { ConfigError } from '../../config/fault/config-error.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { readIfPresent, writeWhole } from '../../text/whole-file.ts';

const KEY_BYTES = 32;
const keyModel = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');
const fileModel = z.strictObject({
  format: z.literal(1),
  principal_id_key: keyModel,
  page_cursor_key: keyModel,
  event_cursor_key: keyModel,
});

/** The file is not a secrets file; its content is never part of the message. */
export class SecretsFileError extends defineError('SecretsFileError', 'secrets_file_invalid', false) {}

const hexToBytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const newKey = () => randomBytes(KEY_BYTES).toString('hex');

/**
 * Reads the gateway's keys from a file, or creates the file, readable by its owner only.
 * @throws SecretsFileError `secrets_file_invalid`
 */
export async function ensureSecrets(path: string): Promise<ServerKeys> {
  let text = await readIfPresent(path);
  if (text === undefined) {
    text = `${JSON.stringify({ format: 1, principal_id_key: newKey(), page_cursor_key: newKey(), event_cursor_key: newKey() }, null, 2)}\n`;
    await writeWhole(path, text, 0o600);
  }
  const parsed = fileModel.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new SecretsFileError(
      `${path} is not a secrets file; restore it, or delete it: cursors and principal ids given out so far become invalid.`,
    );
  }
  const { principal_id_key: principalIds, page_cursor_key: pages, event_cursor_key: events } = parsed.data;
  return {
    principalId: createPrincipalIdDeriver(hexToBytes(principalIds)),
    cursorKeys: { pages: { current: { id: 1, bytes: hexToBytes(pages) } }, events: hexToBytes(events) },
  };
}

function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}

/**
 * The keys of a configuration: from its secret, or from a file in the data folder. A missing file is created, but not by a replica, which
 * has to use the keys of the others.
 * @throws ConfigError `config_invalid` for a replica without keys
 */
export async function gatewayKeys({
  keys,
  dataDir,
  store: { role },
}: {
  readonly keys: string | undefined;
  readonly dataDir: string;
  readonly store: Pick<GatewayConfig['store'], 'role'>;
}): Promise<ServerKeys> {
  if (keys !== undefined) return deriveKeys(keys);
  const path = join(dataDir, 'secrets.json');
  if (role === 'replica' && (await readIfPresent(path)) === undefined) {
    const message = `keys is missing: write those of the gateways at the primary, or copy their secrets.json to ${path}.`;
    throw new ConfigError([{ path: ['keys'], message, location: undefined }]);
  }
  return ensureSecrets(path);
}
