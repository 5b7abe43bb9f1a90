import type { Command } from 'commander';
import { describeToken, formatTokens } from '../../token/describe-tokens.ts';
import { type CliIo, writeLine } from '../command.ts';
import { type ConfigOptions, withConfigOption } from '../config-option.ts';
import { withTokens } from '../token-options.ts';

interface TokenListOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** `token list`: what is known of each token, never the token. */
export function registerTokenList(token: Command, io: CliIo): void {
  withConfigOption(token.command('list').description('list tokens with their state and last use'))
    .option('--json', 'as a JSON array')
    .action((options: TokenListOptions) => list(options, io));
}

async function list(options: TokenListOptions, io: CliIo): Promise<void> {
  await withTokens(options, io, async ({ tokens }) => {
    const described = (await tokens.list()).map((record) => describeToken(record, io.nowMs()));
    writeLine(
      io.stdout,
      options.json === true ? JSON.stringify(described, null, 2) : formatTokens(described),
    );
  });
}
