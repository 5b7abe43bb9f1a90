import { NotFoundError, type RegisterCommand, writeLine } from '../command/command.ts';
import { type ConnectionOptions, openClient, withConnection } from '../command/connection.ts';
import { isTable, type OutputOptions, withOutput } from './output.ts';

/** `get`: one record. */
export const registerGet: RegisterCommand = (program, io) => {
  withOutput(
    withConnection(
      program
        .command('get <url> <resource> <id>')
        .description('print one record; exit code 3 where there is none'),
    ),
  ).action(async (url: string, resource: string, id: string, options: ConnectionOptions & OutputOptions) => {
    await using client = await openClient(url, options, io);
    const item = await client.get(resource, id);
    if (item.kind !== 'found') {
      const why = item.kind === 'gone' ? 'was deleted' : 'is not there, or not for this token to see';
      throw new NotFoundError(`the record ${id} of ${resource} ${why}`);
    }
    await writeLine(io.stdout, JSON.stringify(item.record, null, isTable(options, io) ? 2 : undefined));
  });
};
