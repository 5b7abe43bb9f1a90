import type { Command } from 'commander';
import { TokenUnknownError } from 'rostack-store';
import { rotateToken } from '../../token/create-token.ts';
import { tokenState } from '../../token/describe-tokens.ts';
import { type CliIo, writeLine } from '../command.ts';
import { type ConfigOptions, withConfigOption } from '../config-option.ts';
import { CliFailure } from '../exit-code.ts';
import { readDuration, readTokenId, withTokens } from '../token-options.ts';

interface TokenRotateOptions extends ConfigOptions {
  readonly overlap?: string;
  readonly expires?: string;
}

/** `token rotate`: prints a successor with the same principal and grants, and ends the old token. */
export function registerTokenRotate(token: Command, io: CliIo): void {
  withConfigOption(
    token.command('rotate').description('replace a token by a new one and print that, this once'),
  )
    .argument('<id>', 'as `token list` shows it')
    .option(
      '-o, --overlap <duration>',
      'for how long the old token still counts, such as 24h (default: not at all)',
    )
    .option('-e, --expires <duration>', 'life of the new token (default: as long as that of the old one)')
    .action((id: string, options: TokenRotateOptions) => rotate(readTokenId(id), options, io));
}

async function rotate(tokenId: string, options: TokenRotateOptions, io: CliIo): Promise<void> {
  const { overlap, expires } = options;
  const overlapMs = overlap === undefined ? 0 : readDuration('--overlap', overlap);
  const wishedLifeMs = expires === undefined ? undefined : readDuration('--expires', expires);
  await withTokens(options, io, async ({ tokens }) => {
    const old = await tokens.find(tokenId);
    if (old === undefined) throw new TokenUnknownError(tokenId);
    const state = tokenState(old, io.nowMs());
    if (state !== 'active') {
      throw new CliFailure(
        `token ${tokenId} is ${state}; make a new one with \`rostack-gateway token create\``,
      );
    }
    const oldLifeMs = old.expiresAtMs === undefined ? undefined : old.expiresAtMs - old.createdAtMs;
    const lifeMs = wishedLifeMs ?? oldLifeMs;
    const expiresAtMs = lifeMs === undefined ? undefined : io.nowMs() + lifeMs;
    const { subject, grants } = old;
    const successor = await rotateToken(tokens, tokenId, { subject, grants, expiresAtMs, overlapMs });
    const end = overlap === undefined ? 'is revoked' : `counts for ${overlap} more at most`;
    writeLine(
      io.stderr,
      `token ${successor.tokenId} for ${subject} replaces ${tokenId}, which ${end}; it is shown this once:`,
    );
    writeLine(io.stdout, successor.token);
  });
}
