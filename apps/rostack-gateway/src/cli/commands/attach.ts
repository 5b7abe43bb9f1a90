import { setTimeout as delay } from 'node:timers/promises';
import {
  attachTable,
  detachTable,
  type Mover,
  readQuarantine,
  type Store,
  startMover,
  type TableSource,
} from 'rostack-store';
import { defineConfigured } from '../../config/model/configured-implementation.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { tableSources } from '../../serving/store/configured-store.ts';
import {
  ANY_URL,
  CliFailure,
  type CliIo,
  type ConfigOptions,
  openStore,
  QuarantineError,
  type RegisterCommand,
  readConfigOption,
  UsageError,
  withConfigOption,
  writeLine,
} from './command.ts';

const LOOK_MS = 50;
/** Only one process at a time moves rows. If it is not this one within this time, a gateway is doing it. */
const LEADS_WITHIN_MS = 3_000;

interface AttachOptions extends ConfigOptions {
  readonly load: boolean;
}

/** `attach`: makes tables the sources of resources, and loads them for the first time. */
export const registerAttach: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('attach')
      .description(
        'make tables the sources of resources: installs triggers that note changed rows, then reads the tables',
      )
      .argument('[resources...]', 'resources whose `source` names a table (default: all of them)')
      .option('--no-load', 'install the triggers only; a running gateway reads the tables'),
  ).action(async (resources: string[], options: AttachOptions) => {
    await attachConfigured(await readConfigOption(options, io), resources, options, io);
  });
};

/** Attaches the tables of a configuration. @param names of resources; none: all that have a table */
export async function attachConfigured(
  config: GatewayConfig,
  names: readonly string[],
  options: Pick<AttachOptions, 'load'>,
  io: CliIo,
): Promise<void> {
  const sources = chosen(names, tableSources(config));
  const { resources } = defineConfigured(config, config.publicUrl ?? ANY_URL);
  const log = (line: string) => writeLine(io.stderr, line);
  await using opened = await openStore(config, io, Object.values(resources));
  for (const [name, source] of Object.entries(sources)) {
    const { table, outcome, did, columns } = await attachTable(opened.store, name, source);
    for (const line of did) log(line);
    const members = columns.map(({ column, type, member }) => `${member} (${column} ${type})`).join(', ');
    writeLine(io.stdout, `${name}: ${table} ${OUTCOMES[outcome]}; ${members}`);
  }
  if (options.load) await load(opened.store, sources, io);
}

const OUTCOMES = {
  attached: 'is attached',
  changed: 'is attached again',
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
    throw new UsageError(`${unknown} has no source; resources with one: ${all.join(', ')}`);
  return Object.fromEntries(
    Object.entries(known).filter(([name]) => names.length === 0 || names.includes(name)),
  );
}

/** Moves rows until the resources match their tables, unless a running gateway does it. */
async function load(store: Store, sources: Readonly<Record<string, TableSource>>, io: CliIo): Promise<void> {
  await using mover = startMover(store, sources);
  const giveUpAtMs = performance.now() + LEADS_WITHIN_MS;
  while (!isDone(mover, performance.now() > giveUpAtMs)) {
    if (io.stop.aborted) throw new CliFailure('stopped; a gateway goes on reading where this was');
    await delay(LOOK_MS);
  }
  const quarantined: string[] = [];
  for (const { resource, state, reason } of mover.status) {
    if (state === 'stopped' || state === 'failing')
      throw new CliFailure(`${resource} cannot be followed: ${reason ?? 'see the log'}`);
    const what = state === 'following' ? 'is read' : 'is read by a running gateway';
    writeLine(io.stdout, `${resource}: the table ${what}`);
    const { rows, first } = await readQuarantine(store, resource);
    if (first === undefined) continue;
    const many = rows === 1 ? '1 row is' : `${rows} rows are`;
    const id = JSON.stringify(first.id.slice(0, 100));
    quarantined.push(`${resource}: ${many} in quarantine, first ${id}: ${first.reason}`);
  }
  if (quarantined.length > 0) {
    throw new QuarantineError(`${quarantined.join('\n')}\ncorrect the rows, or let the schema admit them`);
  }
}

function isDone({ status }: Mover, isOtherThere: boolean): boolean {
  return status.every(
    ({ state }) =>
      state === 'following' ||
      state === 'stopped' ||
      ((state === 'standby' || state === 'failing') && isOtherThere),
  );
}

/** `detach`: removes what `attach` installed; resources keep their records. */
export const registerDetach: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('detach')
      .description('remove everything that attach has installed; the resources keep their records')
      .argument('<resources...>', 'including those no longer in the configuration'),
  ).action(async (resources: string[], options: ConfigOptions) => {
    await using opened = await openStore(await readConfigOption(options, io), io);
    for (const name of resources) {
      const { table, did } = await detachTable(opened.store, name);
      for (const line of did) writeLine(io.stderr, line);
      writeLine(
        io.stdout,
        table === undefined ? `${name}: no table is attached` : `${name}: ${table} is detached`,
      );
    }
  });
};
