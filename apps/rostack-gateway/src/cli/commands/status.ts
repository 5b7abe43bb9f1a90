import { InvalidArgumentError } from 'commander';
import { parseStrictJson } from 'rostack-core';
import type { AdminListenerConfig } from '../../config/model/gateway-config.ts';
import type { GatewayReport } from '../../observe/status/gateway-report.ts';
import { reportText } from '../../observe/status/report-text.ts';
import { errorMessage } from '../../text/error-message.ts';
import {
  CliFailure,
  type CliIo,
  type ConfigOptions,
  type RegisterCommand,
  readConfigOption,
  UsageError,
  withConfigOption,
  writeLine,
} from './command.ts';

/** The gateway answers sooner, because it waits for the database only for a limited time. */
const ANSWER_TIMEOUT_MS = 120_000;
const MAX_PORT = 65_535;

interface StatusOptions extends ConfigOptions {
  readonly port?: number;
  readonly json?: boolean;
}

/** `status`: reports the state of the running gateway. */
export const registerStatus: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('status')
      .description(
        'show the state of the running gateway: tables, certificate, followers, alarms, and what to do',
      ),
  )
    .option('--port <port>', 'of its admin listener, where the configuration has 0', portOption)
    .option('--json', 'as JSON')
    .action(async (options: StatusOptions) => {
      const { listeners } = await readConfigOption(options, io);
      if (listeners.admin === undefined)
        throw new UsageError('there is no listeners.admin: add it, so that the gateway can be asked');
      const report = await askGateway({ ...listeners.admin, ...portOf(options) }, io);
      writeLine(
        io.stdout,
        options.json === true ? JSON.stringify(report, null, 2) : reportText(report, io.nowMs()),
      );
    });
};

const portOf = ({ port }: StatusOptions) => (port === undefined ? {} : { port });

function portOption(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= MAX_PORT) return port;
  throw new InvalidArgumentError(`write a number from 1 to ${MAX_PORT}`);
}

async function askGateway(
  { host, port, token }: Pick<AdminListenerConfig, 'host' | 'port' | 'token'>,
  { stop }: CliIo,
): Promise<GatewayReport> {
  if (port === 0)
    throw new UsageError('listeners.admin.port is 0: add --port with the port that start printed');
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  let answer: { readonly status: number; readonly text: string };
  try {
    const response = await fetch(`http://${place}/status`, {
      headers: { Authorization: `Bearer ${token}` },
      signal,
    });
    answer = { status: response.status, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CliFailure(`no gateway answers at ${place} (${errorMessage(cause)}): start it`);
  }
  if (answer.status === 401 || answer.status === 429)
    throw new CliFailure(`the gateway at ${place} has another admin token: restart it with this one`);
  if (answer.status !== 200)
    throw new CliFailure(`what answers at ${place} is not a gateway of this release (${answer.status})`);
  return parseStrictJson(answer.text) as GatewayReport;
}
