import type { Command } from 'commander';
import { createToken } from '../../token/create-token.ts';
import { type CliIo, writeLine } from '../command.ts';
import { type ConfigOptions, withConfigOption } from '../config-option.ts';
import { readDuration, readGrants, readPrincipal, withTokens } from '../token-options.ts';

interface TokenCreateOptions extends ConfigOptions {
  readonly principal: string;
  readonly grant: readonly string[];
  readonly expires?: string;
}

/** `token create`: prints a new token, the only time that it is to be had. */
export function registerTokenCreate(token: Command, io: CliIo): void {
  withConfigOption(token.command('create').description('make a token and print it, this once'))
    .requiredOption('-p, --principal <name>', 'whom the token speaks for')
    .requiredOption('-g, --grant <permission...>', 'what it may do, such as stations:read')
    .option('-e, --expires <duration>', 'after which it counts no more, such as 90d (default: never)')
    .action((options: TokenCreateOptions) => create(options, io));
}

async function create(options: TokenCreateOptions, io: CliIo): Promise<void> {
  const subject = readPrincipal(options.principal);
  const expiresAtMs =
    options.expires === undefined ? undefined : io.nowMs() + readDuration('--expires', options.expires);
  await withTokens(options, io, async ({ tokens }, config) => {
    const grants = readGrants(options.grant, config);
    const { token, tokenId } = await createToken(tokens, { subject, grants, expiresAtMs });
    const end =
      expiresAtMs === undefined ? 'does not expire' : `expires ${new Date(expiresAtMs).toISOString()}`;
    writeLine(
      io.stderr,
      `token ${tokenId} for ${subject}: ${grants.join(' ')}; ${end}; it is shown this once:`,
    );
    writeLine(io.stdout, token);
  });
}
