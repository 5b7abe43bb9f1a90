import { parseSharedToken } from 'rostack-server';
import type { Store } from 'rostack-store';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { durationMs } from '../config/model/values.ts';
import { nearestName } from '../config/nearest-name.ts';
import { openConfiguredStore } from '../configured-store.ts';
import { type CliIo, writeLine } from './command.ts';
import { type ConfigOptions, readConfigOption } from './config-option.ts';
import { UsageError } from './exit-code.ts';

const MAX_PRINCIPAL_LENGTH = 200;

/** Runs work on the token table of a configuration's store. */
export async function withTokens<T>(
  options: ConfigOptions,
  io: CliIo,
  work: (store: Store, config: GatewayConfig) => Promise<T>,
): Promise<T> {
  const config = await readConfigOption(options, io);
  if (!config.authentication.sharedTokens) {
    throw new UsageError(
      'authentication.shared_tokens is false, so no token would be accepted; set it to true',
    );
  }
  const { store, close } = await openConfiguredStore(config, [], (line) => writeLine(io.stderr, line));
  try {
    return await work(store, config);
  } finally {
    await close();
  }
}

/** Milliseconds of an option such as `--expires 90d`. @throws UsageError */
export function readDuration(option: string, text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; write a duration such as 90d, 12h or 30m`);
}

/** @throws UsageError */
export function readPrincipal(text: string): string {
  if (text !== '' && text.length <= MAX_PRINCIPAL_LENGTH && !/\p{Cc}/u.test(text)) return text;
  throw new UsageError(`--principal needs 1 to ${MAX_PRINCIPAL_LENGTH} characters without line breaks`);
}

/** @throws UsageError for a permission that the configuration does not declare */
export function readGrants(grants: readonly string[], { permissions }: GatewayConfig): readonly string[] {
  const known = Object.keys(permissions);
  for (const grant of grants) {
    if (known.includes(grant)) continue;
    const nearest = nearestName(grant, known);
    const advice = nearest === undefined ? `declared are ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new UsageError(`--grant ${grant} is no permission of the configuration; ${advice}`);
  }
  return [...new Set(grants)];
}

/** A token's id, also when somebody pastes the whole token. */
export const readTokenId = (text: string) => parseSharedToken(text) ?? text;
