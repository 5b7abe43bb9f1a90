import { setTimeout as delay } from 'node:timers/promises';
import { attachTable, type Mover, type Store, startMover, type TableSource } from 'rostack-store';
import { defineConfigured } from '../../config/configured-implementation.ts';
import { openConfiguredStore } from '../../configured-store.ts';
import { tableSources } from '../../table-sources.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';
import { CliFailure, UsageError } from '../exit-code.ts';

const LOOK_MS = 50;
/** A process that leads already keeps another from leading; after this long it is taken to be there. */
const LEADS_WITHIN_MS = 3_000;
/** URLs are no part of what is attached. */
const ANY_URL = 'https://localhost';

interface AttachOptions extends ConfigOptions {
  readonly load: boolean;
}

/** `attach`: makes PostgreSQL tables the sources of resources, and reads them for the first time. */
export const registerAttach: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('attach')
      .description(
        'make tables the sources of resources: installs triggers that note changed rows, then reads the tables',
      )
      .argument('[resources...]', 'resources whose `source` names a table (default: all of them)')
      .option('--no-load', 'install the triggers only; a running gateway reads the tables'),
  ).action((resources: string[], options: AttachOptions) => attach(resources, options, io));
};

async function attach(names: readonly string[], options: AttachOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const sources = chosen(names, tableSources(config));
  const { resources } = defineConfigured(config, config.publicUrl ?? ANY_URL);
  const log = (line: string) => writeLine(io.stderr, line);
  const { store, close } = await openConfiguredStore(config, Object.values(resources), log);
  try {
    for (const [name, source] of Object.entries(sources)) {
      const { table, outcome, did, columns } = await attachTable(store, name, source);
      for (const line of did) log(line);
      const members = columns.map(({ column, type, member }) => `${member} (${column} ${type})`).join(', ');
      writeLine(io.stdout, `${name}: ${table} ${OUTCOMES[outcome]}; ${members}`);
    }
    if (options.load) await load(store, sources, io);
  } finally {
    await close();
  }
}

const OUTCOMES = {
  attached: 'is attached',
  changed: 'is attached anew',
  unchanged: 'was attached before, in the same way',
} as const;

function chosen(
  names: readonly string[],
  known: Readonly<Record<string, TableSource>>,
): Readonly<Record<string, TableSource>> {
  const all = Object.keys(known);
  if (all.length === 0) throw new UsageError('no resource has a source; write source: { table, key } at one');
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${unknown} has no source; those that have: ${all.join(', ')}`);
  return Object.fromEntries(
    Object.entries(known).filter(([name]) => names.length === 0 || names.includes(name)),
  );
}

/** Moves rows until the resources are equal to their tables, unless a gateway that runs does it. */
async function load(store: Store, sources: Readonly<Record<string, TableSource>>, io: CliIo): Promise<void> {
  await using mover = startMover(store, sources);
  const giveUpAtMs = performance.now() + LEADS_WITHIN_MS;
  while (!isDone(mover, performance.now() > giveUpAtMs)) {
    if (io.stop.aborted) throw new CliFailure('stopped; a gateway goes on reading where this was');
    await delay(LOOK_MS);
  }
  for (const { resource, state, reason, refusedRows } of mover.status) {
    if (state === 'stopped')
      throw new CliFailure(`${resource} cannot be followed: ${reason ?? 'see the log'}`);
    const refused = refusedRows === 0 ? '' : `; ${refusedRows} rows were refused by its schema`;
    const what = state === 'following' ? 'is read' : 'is read by a gateway that runs';
    writeLine(io.stdout, `${resource}: the table ${what}${refused}`);
  }
}

function isDone({ status }: Mover, isOtherThere: boolean): boolean {
  return status.every(
    ({ state }) => state === 'following' || state === 'stopped' || (state === 'standby' && isOtherThere),
  );
}
