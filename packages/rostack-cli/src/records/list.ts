import type { JsonObject } from 'rostack-core';
import { countArgument, filterArgument, listArgument } from '../command/arguments.ts';
import { type RegisterCommand, writeLine } from '../command/command.ts';
import { type ConnectionOptions, openClient, withConnection } from '../command/connection.ts';
import { isTable, type OutputOptions, Table, withOutput } from './output.ts';

interface ListArguments extends ConnectionOptions, OutputOptions {
  readonly filter?: JsonObject;
  readonly sort?: readonly string[];
  readonly fields?: readonly string[];
  readonly limit?: number;
}

/** `list`: the records of a resource. */
export const registerList: RegisterCommand = (program, io) => {
  withOutput(
    withConnection(
      program
        .command('list <url> <resource>')
        .description('print the records of a resource, in one consistent snapshot')
        .option('--filter <json>', `which records, such as '{"/region":{"eq":"north"}}'`, filterArgument)
        .option(
          '--sort <fields>',
          'sortable fields, a minus in front for descending: -/height,/name',
          listArgument,
        )
        .option('--fields <pointers>', 'fields to keep: /id,/name', listArgument)
        .option('--limit <count>', 'how many records at most', countArgument),
    ),
  ).action(async (url: string, resource: string, options: ListArguments) => {
    const { filter, sort, fields, limit = Number.POSITIVE_INFINITY } = options;
    await using client = await openClient(url, options, io);
    const table = isTable(options, io) ? new Table(io, fields) : undefined;
    const { max_page_size: maximum } = client.discovery.capabilities;
    const list = client.list(resource, {
      ...(filter !== undefined && { filter }),
      ...(sort !== undefined && { sort }),
      ...(fields !== undefined && { fields }),
      ...(limit < maximum && { pageSize: limit }),
    });
    let left = limit;
    for await (const { records } of list.pages()) {
      const taken = records.slice(0, left);
      if (table !== undefined) await table.write(taken);
      else for (const record of taken) await writeLine(io.stdout, JSON.stringify(record));
      left -= taken.length;
      if (left <= 0) return;
    }
  });
};
