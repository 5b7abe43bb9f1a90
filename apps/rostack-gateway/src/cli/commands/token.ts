import type { Command } from 'commander';
import {
  hasCode,
  type JsonObject,
  type JsonValue,
  parseStrictJson,
  type StrictJsonError,
} from 'rostack-core';
import { parseSharedToken } from 'rostack-server';
import { TokenUnknownError } from 'rostack-store';
import { nearestName } from '../../config/fault/nearest-name.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { durationMs } from '../../config/section/values.ts';
import type { ConfiguredStore } from '../../serving/store/configured-store.ts';
import {
  createToken,
  describeToken,
  formatTokens,
  rotateToken,
  tokenState,
} from '../../serving/token/tokens.ts';
import {
  CliFailure,
  type CliIo,
  type ConfigOptions,
  openStore,
  type RegisterCommand,
  readConfigOption,
  UsageError,
  withConfigOption,
  writeLine,
} from './command.ts';

const MAX_PRINCIPAL_LENGTH = 200;

/** `token`: manages shared tokens in the store's database. */
export const registerToken: RegisterCommand = (program, io) => {
  const token = program.command('token').description('shared tokens: create, list, revoke, rotate');
  registerCreate(token, io);
  registerList(token, io);
  registerRevoke(token, io);
  registerRotate(token, io);
};

interface CreateOptions extends ConfigOptions {
  readonly principal: string;
  readonly grant?: readonly string[];
  readonly grants: boolean;
  readonly claim?: readonly string[];
  readonly expires?: string;
}

function registerCreate(token: Command, io: CliIo): void {
  withConfigOption(token.command('create').description('make a token and print it, this once'))
    .requiredOption('-p, --principal <name>', 'whom the token speaks for')
    .option('-g, --grant <permission...>', 'what it may do, such as stations:read')
    .option('--no-grants', 'instead of --grant: the token authenticates, but has no permissions')
    .option(
      '--claim <name=value...>',
      'claims about it, for `visible` of resources: JSON or text, such as tenant=north',
    )
    .option('-e, --expires <duration>', 'how long it is valid, such as 90d (default: for ever)')
    .action(async (options: CreateOptions) => {
      const subject = readPrincipal(options.principal);
      const lifeMs = readDuration('--expires', options.expires);
      const wanted = wantedGrants(options);
      const claims = readClaims(options.claim ?? []);
      const config = await readConfigOption(options, io);
      await using opened = await openTokens(config, io);
      const grants = readGrants(wanted, config);
      const expiresAtMs = lifeMs === undefined ? undefined : io.nowMs() + lifeMs;
      const { token, tokenId } = await createToken(opened.store.tokens, {
        subject,
        grants,
        claims,
        expiresAtMs,
      });
      const end =
        expiresAtMs === undefined ? 'does not expire' : `expires ${new Date(expiresAtMs).toISOString()}`;
      writeLine(
        io.stderr,
        `token ${tokenId} for ${subject}: ${grants.join(' ') || 'no grants'}; ${end}; it is shown this once:`,
      );
      writeLine(io.stdout, token);
    });
}

function registerList(token: Command, io: CliIo): void {
  withConfigOption(token.command('list').description('list tokens with their state and last use'))
    .option('--json', 'as a JSON array')
    .action(async (options: ConfigOptions & { readonly json?: boolean }) => {
      await using opened = await openTokens(await readConfigOption(options, io), io);
      const records = await opened.store.tokens.list();
      const described = records.map((record) => describeToken(record, io.nowMs()));
      writeLine(
        io.stdout,
        options.json === true ? JSON.stringify(described, null, 2) : formatTokens(described),
      );
    });
}

function registerRevoke(token: Command, io: CliIo): void {
  withConfigOption(token.command('revoke').description('end a token; running gateways notice within 5 s'))
    .argument('<id>', 'as `token list` shows it')
    .action(async (id: string, options: ConfigOptions) => {
      const tokenId = readTokenId(id);
      await using opened = await openTokens(await readConfigOption(options, io), io);
      const isNew = await opened.store.tokens.revoke(tokenId);
      writeLine(io.stderr, `token ${tokenId} ${isNew ? 'is revoked' : 'was revoked before'}`);
    });
}

interface RotateOptions extends ConfigOptions {
  readonly overlap?: string;
  readonly expires?: string;
}

/** The successor has the same principal, grants and claims. */
function registerRotate(token: Command, io: CliIo): void {
  withConfigOption(
    token.command('rotate').description('replace a token by a new one and print that, this once'),
  )
    .argument('<id>', 'as `token list` shows it')
    .option(
      '-o, --overlap <duration>',
      'how long the old token stays valid, such as 24h (default: not at all)',
    )
    .option('-e, --expires <duration>', 'life of the new token (default: as long as that of the old one)')
    .action((id: string, options: RotateOptions) => rotate(readTokenId(id), options, io));
}

async function rotate(tokenId: string, options: RotateOptions, io: CliIo): Promise<void> {
  const { overlap, expires } = options;
  const overlapMs = readDuration('--overlap', overlap) ?? 0;
  const givenLifeMs = readDuration('--expires', expires);
  await using opened = await openTokens(await readConfigOption(options, io), io);
  const { tokens } = opened.store;
  const old = await tokens.find(tokenId);
  if (old === undefined) throw new TokenUnknownError(tokenId);
  const state = tokenState(old, io.nowMs());
  if (state !== 'active') {
    throw new CliFailure(
      `token ${tokenId} is ${state}; make a new one with \`rostack-gateway token create\``,
    );
  }
  const oldLifeMs = old.expiresAtMs === undefined ? undefined : old.expiresAtMs - old.createdAtMs;
  const lifeMs = givenLifeMs ?? oldLifeMs;
  const expiresAtMs = lifeMs === undefined ? undefined : io.nowMs() + lifeMs;
  const { subject, grants, claims } = old;
  const successor = await rotateToken(tokens, tokenId, {
    subject,
    grants,
    claims,
    expiresAtMs,
    overlapMs,
  });
  const end = overlap === undefined ? 'is revoked' : `counts for ${overlap} more at most`;
  writeLine(
    io.stderr,
    `token ${successor.tokenId} for ${subject} replaces ${tokenId}, which ${end}; it is shown this once:`,
  );
  writeLine(io.stdout, successor.token);
}

/** @throws UsageError if the configuration accepts no tokens */
function openTokens(config: GatewayConfig, io: CliIo): Promise<ConfiguredStore> {
  if (config.authentication.sharedTokens) return openStore(config, io);
  throw new UsageError(
    'authentication.shared_tokens is false, so no token would be accepted; set it to true',
  );
}

/** Milliseconds of an option such as `--expires 90d`. @throws UsageError */
function readDuration(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; write a duration such as 90d, 12h or 30m`);
}

/** @throws UsageError */
function readPrincipal(text: string): string {
  if (text !== '' && text.length <= MAX_PRINCIPAL_LENGTH && !/\p{Cc}/u.test(text)) return text;
  throw new UsageError(`--principal needs 1 to ${MAX_PRINCIPAL_LENGTH} characters without line breaks`);
}

/** @throws UsageError unless exactly one of `--grant` and `--no-grants` is given */
function wantedGrants({ grant, grants }: CreateOptions): readonly string[] {
  if ((grant === undefined) !== grants) return grant ?? [];
  throw new UsageError('write either --grant with what the token may do, or --no-grants');
}

/** @throws UsageError for a permission that the configuration does not declare */
function readGrants(grants: readonly string[], { permissions }: GatewayConfig): readonly string[] {
  const known = Object.keys(permissions);
  for (const grant of grants) {
    if (known.includes(grant)) continue;
    const nearest = nearestName(grant, known);
    const advice = nearest === undefined ? `declared are ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new UsageError(`--grant ${grant} is not a permission of the configuration; ${advice}`);
  }
  return [...new Set(grants)];
}

/**
 * The claims of `--claim`, by name: JSON if the text is JSON, else the text itself.
 * @throws UsageError
 */
function readClaims(written: readonly string[]): JsonObject | undefined {
  const claims = written.map((each): readonly [string, JsonValue] => {
    const equals = each.indexOf('=');
    if (equals > 0) return [each.slice(0, equals), readClaim(each, each.slice(equals + 1))];
    throw new UsageError(`--claim ${each} has no name and value; write them as tenant=north`);
  });
  const repeated = claims.find(([name], index) => claims.findIndex(([other]) => other === name) !== index);
  if (repeated !== undefined) {
    throw new UsageError(
      `--claim ${repeated[0]} is repeated; write several values as ${repeated[0]}='["a","b"]'`,
    );
  }
  return claims.length === 0 ? undefined : Object.fromEntries(claims);
}

function readClaim(written: string, text: string): JsonValue {
  try {
    return parseStrictJson(text) as JsonValue;
  } catch (error) {
    if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
    if (error.fault.check === 'json') return text;
    throw new UsageError(
      `--claim ${written}: ${error.fault.message}; write it in double quotes to make it a string`,
    );
  }
}

/** A token's id, even if the user pastes the whole token. */
const readTokenId = (text: string) => parseSharedToken(text) ?? text;
