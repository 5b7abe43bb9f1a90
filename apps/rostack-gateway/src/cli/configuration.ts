import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_CURSOR_LIFETIME_MS } from 'rostack-server';
import { publishedConfigSchema } from '../config/model/config-schema.ts';
import { defineConfigured } from '../config/model/configured-implementation.ts';
import type { GatewayConfig } from '../config/model/gateway-config.ts';
import { USUAL_RETENTION } from '../config/section/store-section.ts';
import { openDataSource } from '../publish/data-source.ts';
import {
  CliFailure,
  type CliIo,
  type CommandIo,
  type ConfigOptions,
  DEFAULT_CONFIG_FILE,
  type RegisterCommand,
  readServedConfig,
  withConfigOption,
  writeLine,
} from './commands/command.ts';
import {
  CONFIG_SCHEMA_FILE,
  columnsOption,
  type ProjectOptions,
  planProject,
  tableOption,
  writeProject,
} from './commands/project.ts';

const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));
const TEMPLATE_FILES = [
  DEFAULT_CONFIG_FILE,
  'schemas/station.schema.json',
  'schemas/station-card.schema.json',
  'schemas/canary.schema.json',
];

/** `init`: writes a commented configuration that works as it is. */
export const registerInit: RegisterCommand = (program, io) => {
  program
    .command('init')
    .description(`write a commented ${DEFAULT_CONFIG_FILE} that can be started as it is; overwrites nothing`)
    .argument('[folder]', 'where to write it; made when it is missing', '.')
    .option('--from <url>', 'for the tables of this database: what `serve` writes')
    .addOption(tableOption())
    .addOption(columnsOption())
    .action((folder: string, options: InitOptions) =>
      options.from === undefined ? init(folder, io) : initFrom(folder, options.from, options, io),
    );
};

interface InitOptions extends ProjectOptions {
  readonly from?: string;
}

async function initFrom(folder: string, url: string, options: ProjectOptions, io: CommandIo): Promise<void> {
  await using source = await openDataSource(url);
  await writeProject(folder, await planProject(source, options, io), io);
  tellNext(folder, io);
}

async function init(folder: string, io: CliIo): Promise<void> {
  const files = await Promise.all(
    TEMPLATE_FILES.map(async (name) => ({ name, text: await readFile(join(TEMPLATES, name), 'utf8') })),
  );
  files.push({ name: CONFIG_SCHEMA_FILE, text: `${JSON.stringify(publishedConfigSchema(), null, 2)}\n` });
  for (const { name, text } of files) await writeNew(join(folder, name), text);
  for (const { name } of files) writeLine(io.stderr, `wrote ${join(folder, name)}`);
  tellNext(folder, io);
}

function tellNext(folder: string, io: CliIo): void {
  const config = relative('.', join(folder, DEFAULT_CONFIG_FILE));
  // If npx ran this, the command may not be on the path.
  const command = io.environment['npm_command'] === 'exec' ? 'npx rostack-gateway' : 'rostack-gateway';
  const option = config === DEFAULT_CONFIG_FILE ? '' : ` --config ${config}`;
  writeLine(io.stderr, `next: ${command} start${option}`);
}

async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new CliFailure(`${path} exists already; name another folder, or remove it first`);
    }
    throw error;
  }
}

/** `check-config`: says what is wrong with a configuration, without starting. */
export const registerCheckConfig: RegisterCommand = (program, io) => {
  withConfigOption(
    program.command('check-config').description('say what is wrong with the configuration, without starting'),
  ).action(async (options: ConfigOptions) => {
    const config = await readServedConfig(options, io);
    const { identity, resources, retention } = config;
    const names = Object.keys(resources).join(', ');
    writeLine(io.stdout, `${options.config}: ok; ${identity.id} ${identity.apiVersion} with ${names}`);
    const tooShort = chainLife(retention);
    if (tooShort !== undefined) writeLine(io.stdout, tooShort);
    const tooLong = discoverySize(config);
    if (tooLong !== undefined) writeLine(io.stderr, tooLong);
  });
};

/** The most bytes of a discovery document that rostack-client reads by default; other clients may read less. */
const CLIENT_DISCOVERY_BYTES = 4_194_304;

/** A warning for a discovery document that is too large for clients; undefined if it is not. */
function discoverySize(config: GatewayConfig): string | undefined {
  const { discovery, resources } = defineConfigured(config, config.publicUrl ?? 'https://localhost');
  const bytes = Buffer.byteLength(JSON.stringify(discovery));
  if (bytes <= CLIENT_DISCOVERY_BYTES) return undefined;
  return (
    `warning: the discovery document of ${Object.keys(resources).length} resources has ${bytes} bytes, and rostack-client ` +
    `reads ${CLIENT_DISCOVERY_BYTES} unless its limit maxDiscoveryBytes is raised; serve them by several gateways`
  );
}

const PAGE_CURSOR_LIFETIME_S = PAGE_CURSOR_LIFETIME_MS / 1_000;

/**
 * The rates of change up to which the limits by count and size keep everything that a chain of pages reads; undefined for the default
 * limits or larger ones.
 */
function chainLife({ maxChanges, maxBytes }: GatewayConfig['retention']): string | undefined {
  if (maxChanges >= USUAL_RETENTION.maxChanges && maxBytes >= USUAL_RETENTION.maxBytes) return undefined;
  const changes = rounded(maxChanges / PAGE_CURSOR_LIFETIME_S);
  const kibibytes = rounded(maxBytes / 1_024 / PAGE_CURSOR_LIFETIME_S);
  return (
    `retention: clients have ${PAGE_CURSOR_LIFETIME_S / 60} minutes to read a list to its end while a resource has at most ${changes} changes ` +
    `a second (max_changes) and ${kibibytes} KiB of past versions a second (max_size); beyond either, less`
  );
}

/** Two significant digits, rounded down so as not to promise too much. */
function rounded(rate: number): number {
  const unit = 10 ** (Math.floor(Math.log10(rate)) - 1);
  return Number((Math.floor(rate / unit) * unit).toPrecision(2));
}
