import type { Command } from 'commander';
import { type CliIo, writeLine } from '../command.ts';
import { type ConfigOptions, withConfigOption } from '../config-option.ts';
import { readTokenId, withTokens } from '../token-options.ts';

/** `token revoke`: running gateways refuse the token within 5 s. */
export function registerTokenRevoke(token: Command, io: CliIo): void {
  withConfigOption(token.command('revoke').description('end a token; running gateways notice within 5 s'))
    .argument('<id>', 'as `token list` shows it')
    .action((id: string, options: ConfigOptions) => revoke(readTokenId(id), options, io));
}

async function revoke(tokenId: string, options: ConfigOptions, io: CliIo): Promise<void> {
  await withTokens(options, io, async ({ tokens }) => {
    const isNew = await tokens.revoke(tokenId);
    writeLine(io.stderr, `token ${tokenId} ${isNew ? 'is revoked' : 'was revoked before'}`);
  });
}
