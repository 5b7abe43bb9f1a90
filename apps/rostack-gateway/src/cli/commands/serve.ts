import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { loadConfig } from '../../config/load-config.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { isFile, isPostgres, openDataSource } from '../../publish/data-source.ts';
import { URL_VARIABLE } from '../../publish/project-files.ts';
import type { Gateway } from '../../serving/gateway/gateway.ts';
import { tableSources } from '../../serving/store/configured-store.ts';
import { createToken } from '../../serving/token/tokens.ts';
import { attachConfigured } from './attach.ts';
import {
  type CommandIo,
  type ConfigOptions,
  DEFAULT_CONFIG_FILE,
  openStore,
  QuarantineError,
  type RegisterCommand,
  UsageError,
  withConfigOption,
  writeLine,
} from './command.ts';
import { importFile } from './import.ts';
import { columnsOption, type ProjectOptions, planProject, tableOption, writeProject } from './project.ts';
import { serveAlone } from './start.ts';

/** How long the token of one run is valid. */
const TOKEN_LIFE_MS = 24 * 3_600_000;
const SUBJECT = 'serve';

interface ServeOptions extends ConfigOptions, ProjectOptions {
  readonly key?: string;
}

/** `serve`: publishes the tables of a database on this computer, from nothing but its URL. */
export const registerServe: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('serve <source>')
      .description(
        'publish the tables of a database, or a file of records, on this computer: writes the configuration, attaches, serves, and prints a link',
      )
      .addOption(tableOption())
      .addOption(columnsOption())
      .option(
        '-k, --key <member>',
        'of a file of records: the member that is their id (default: the likeliest)',
      )
      .option('-p, --port <number>', 'port, for plain HTTP on loopback', portOption),
  )
    .addHelpText(
      'after',
      `
SOURCE is postgres://user@host:port/database, sqlite:FILE, or a file of records: .ndjson, .csv, .tsv, each also with .gz.
What is written the first time is used as it is from then on; a file of records is imported again at each start.
Triggers note changed rows in the transaction that changes them; they stay when this ends, and \`detach\` removes them.`,
    )
    .action((source: string, options: ServeOptions) => serve(source, options, io));
};

function portOption(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('write a port, such as 8080');
}

async function serve(source: string, options: ServeOptions, io: CommandIo): Promise<void> {
  await prepare(source, options, io);
  const { config: file, port } = options;
  const config = await loadConfig(file, {
    environment: {
      ...QUIET,
      ...io.environment,
      ...(isPostgres(source) && { [URL_VARIABLE]: source }),
      ...(port !== undefined && { ROSTACK__LISTENERS__DATA__PORT: String(port) }),
    },
    certificatesAtMs: io.nowMs(),
  });
  const attached = Object.keys(tableSources(config));
  if (attached.length > 0) await attachAll(config, io);
  const [resource] = Object.keys(config.resources);
  if (isFile(source) && resource !== undefined) await importFile(config, resource, source, io);
  const token = await makeToken(config, io);
  await serveAlone(config, io, (gateway) => announce(gateway, config, token, io));
  if (attached.length === 0) return;
  const command = `rostack-gateway detach ${attached.join(' ')}`;
  writeLine(
    io.stderr,
    `the triggers stay on the tables, so that the next start misses nothing; to remove them: ${isPostgres(source) ? `${URL_VARIABLE}=... ` : ''}${command}`,
  );
}

/** Users who try it out read the link, not the log; the environment may override this. */
const QUIET = { ROSTACK__LOG__LEVEL: 'warn' };

/** Writes the project, unless it exists. */
async function prepare(url: string, options: ServeOptions, io: CommandIo): Promise<void> {
  if (existsSync(options.config)) {
    writeLine(io.stderr, `${options.config} is used as it is; remove it to choose again`);
    return;
  }
  if (basename(options.config) !== DEFAULT_CONFIG_FILE) {
    throw new UsageError(
      `${options.config} does not exist; serve writes a file of the name ${DEFAULT_CONFIG_FILE}`,
    );
  }
  await using source = await openDataSource(url, options.key);
  await writeProject(dirname(options.config), await planProject(source, options, io), io);
}

/** Reports rows that no record can hold, and serves the others. */
async function attachAll(config: GatewayConfig, io: CommandIo): Promise<void> {
  try {
    await attachConfigured(config, [], { load: true }, io);
  } catch (error) {
    if (!(error instanceof QuarantineError)) throw error;
    writeLine(io.stderr, `warning: ${error.message}`);
  }
}

/** A token that may read everything, valid long enough to try it out. */
async function makeToken(config: GatewayConfig, io: CommandIo): Promise<string> {
  await using opened = await openStore(config, io);
  const { token } = await createToken(opened.store.tokens, {
    subject: SUBJECT,
    grants: [...new Set(Object.values(config.resources).flatMap(({ readPermissions }) => readPermissions))],
    expiresAtMs: io.nowMs() + TOKEN_LIFE_MS,
  });
  return token;
}

function announce(gateway: Gateway, config: GatewayConfig, token: string, io: CommandIo): void {
  const isPlain = config.listeners.data.tls.mode === 'loopback';
  const base = isPlain ? gateway.url.replace(/^https:/, 'http:') : gateway.url;
  const [resource = ''] = Object.keys(config.resources);
  writeLine(
    io.stdout,
    `
${Object.keys(config.resources).join(', ')}: served at ${base}

Live events in your browser; the link holds a token that is valid for a day:
  ${base}/#token=${token}&view=live&resource=${resource}

With curl:
  curl --header "Authorization: Rostack-Token ${token}" ${base}/api/${resource}

Every change as a line, nothing lost:
  ROSTACK_TOKEN=${token} npx rostack-cli follow ${base} ${resource}

In React:
  import { connect } from 'rostack-client';
  import { RostackProvider, useFollow } from 'rostack-client/react';

  const token = { method: 'shared_token', token: '...' };
  <RostackProvider connect={() => connect('${base}', token, { allowInsecureLoopback: true })}>...
  const { records } = useFollow('${resource}');
`,
  );
}
