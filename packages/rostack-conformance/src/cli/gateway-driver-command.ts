import { KitError } from '../base/kit-error.ts';
import { copyByCommands, type DatabaseCopy, sqliteCopy } from '../driver/database-copy.ts';
import { GatewayDriver } from '../driver/gateway-driver.ts';
import { GatewayProgram } from '../driver/gateway-program.ts';
import { serveDriver } from '../driver/serve-driver.ts';
import type { CommandIo, RegisterCommand } from './command-io.ts';

interface Options {
  readonly config: string;
  readonly admin: string;
  readonly adminTokenEnv: string;
  readonly principal: string;
  readonly grant: string[];
  readonly sqlite: boolean;
  readonly save?: string;
  readonly restore?: string;
}

/** `gateway-driver`: runs `rostack-gateway`, and changes it as checks request on standard input. */
export const registerGatewayDriver: RegisterCommand = (program, io) => {
  program
    .command('gateway-driver')
    .description('a driver for rostack-gateway: runs it, and changes it as `--driver` is asked to')
    .argument('[program...]', 'how to run the gateway, after --', ['rostack-gateway'])
    .requiredOption('--config <file>', 'its configuration; both listeners have ports of their own there')
    .requiredOption('--admin <url>', 'its admin listener, such as http://127.0.0.1:8444')
    .requiredOption('--admin-token-env <name>', 'environment variable with the token of the admin listener')
    .requiredOption('--principal <name>', 'the principal of the main token')
    .requiredOption('--grant <permission...>', 'what the main token may do')
    .option(
      '--no-sqlite',
      'the records are in PostgreSQL: they are put back where --save and --restore tell how',
    )
    .option('--save <command>', 'copies the database while no gateway runs: else `rostack-gateway backup`')
    .option('--restore <command>', 'puts the copy back while no gateway runs: else `rostack-gateway restore`')
    .action((argv: readonly string[], options: Options) => drive(argv, options, io));
};

async function drive(
  [first = '', ...rest]: readonly string[],
  options: Options,
  io: CommandIo,
): Promise<void> {
  const adminToken = io.environment[options.adminTokenEnv];
  if (adminToken === undefined || adminToken === '') {
    throw new KitError('usage', `there is no token in the environment variable ${options.adminTokenEnv}`);
  }
  const program = new GatewayProgram({ argv: [first, ...rest], config: options.config });
  await using driver = await GatewayDriver.start({
    program,
    adminUrl: options.admin,
    adminToken,
    principal: options.principal,
    grants: options.grant,
    copy: copyOf(program, options),
  });
  await serveDriver({ handlers: driver.handlers, input: io.stdin, output: io.stdout });
}

function copyOf(program: GatewayProgram, { sqlite, save, restore }: Options): DatabaseCopy | undefined {
  if (save !== undefined && restore !== undefined) return copyByCommands(program, { save, restore });
  if (save !== undefined || restore !== undefined) {
    throw new KitError('usage', 'pass both --save and --restore, or neither');
  }
  return sqlite ? sqliteCopy(program) : undefined;
}
