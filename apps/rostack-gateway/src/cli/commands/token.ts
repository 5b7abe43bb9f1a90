import type { RegisterCommand } from '../command.ts';
import { registerTokenCreate } from './token-create.ts';
import { registerTokenList } from './token-list.ts';
import { registerTokenRevoke } from './token-revoke.ts';
import { registerTokenRotate } from './token-rotate.ts';

/** `token`: shared tokens in the store's database. */
export const registerToken: RegisterCommand = (program, io) => {
  const token = program.command('token').description('shared tokens: create, list, revoke, rotate');
  registerTokenCreate(token, io);
  registerTokenList(token, io);
  registerTokenRevoke(token, io);
  registerTokenRotate(token, io);
};
