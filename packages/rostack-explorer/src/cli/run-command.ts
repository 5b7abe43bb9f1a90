import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { escapedOutput, escapeLine, parseTrustedJson } from 'rostack-core';
import { OpenError } from './open-error.ts';
import { type IdPointers, idsOfResources, readIdPointers } from './read-id-pointers.ts';
import { readImplementation } from './read-implementation.ts';
import { serveExplorer } from './serve-explorer.ts';

/** The process that the command runs in. */
export interface CommandIo {
  /** How the command is called, for its help. Default: `rostack-explorer`. */
  readonly name?: string;
  /** `ROSTACK_TOKEN` is read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address of the page, help and version. */
  readonly stdout: Writable;
  /** Messages for people. */
  readonly stderr: Writable;
  /** Ends the command when it is aborted. */
  readonly stop: AbortSignal;
}

const helpOf = (name: string): string => `Usage: ${name} <url> [options]

Shows a rostack_v1 implementation in the browser: its reference, its records, its live events.

Arguments:
  url                    its origin or the URL of its discovery document: https, or http on this computer

Options:
  --port <number>        port on 127.0.0.1 (default: a free one)
  --open                 open the page in the browser
  --record-id <pointer>  where the id of a record is, such as /deviceId, or things=/deviceId for one
                         resource (default: /id, or what the records show)
  -V, --version          print the version
  -h, --help             print help

The page asks for a token when it needs one. Where the discovery document itself is not public,
put a token into the environment variable ROSTACK_TOKEN.

Exit codes: 0 ok, 1 failed, 2 wrong usage.
`;

interface Arguments {
  readonly place: string;
  readonly port: number;
  readonly isOpened: boolean;
  readonly idPointers: IdPointers;
}

/** The arguments, or what to print instead. @throws Error with a sentence for the user */
async function readArguments(argv: readonly string[], name: string): Promise<Arguments | string> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      open: { type: 'boolean', default: false },
      'record-id': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', short: 'V', default: false },
    },
  });
  if (values.help) return helpOf(name);
  if (values.version) {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    return `${(parseTrustedJson(manifest) as { readonly version: string }).version}\n`;
  }
  const [place, ...more] = positionals;
  if (place === undefined || more.length > 0)
    throw new Error('pass one URL, such as https://data.example.com');
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error('--port must be a number from 0 to 65535');
  const idPointers = readIdPointers(values['record-id']);
  if (idPointers === undefined)
    throw new Error(
      '--record-id must be a JSON Pointer such as /deviceId, or things=/deviceId for one resource',
    );
  return { place, port, isOpened: values.open, idPointers };
}

/** Opens the page with the system's own opener; the address is printed in any case. */
function openInBrowser(url: string, { stderr }: CommandIo): void {
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[
    process.platform as string
  ] ?? ['xdg-open'];
  spawn(command ?? '', [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => stderr.write('No browser could be opened; open the address yourself.\n'))
    .unref();
}

async function show(
  { place, port, isOpened, idPointers }: Arguments,
  io: CommandIo,
): Promise<'ended' | 'stopped'> {
  const { environment, stdout, stop } = io;
  const ended = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  const reading = readImplementation(place, environment['ROSTACK_TOKEN']);
  const opened = await Promise.race([reading, ended.then(() => undefined)]);
  if (opened === undefined) {
    reading.catch(() => {});
    return 'stopped';
  }
  const resources = idsOfResources(opened.discovery, idPointers);
  await using explorer = await serveExplorer({ ...opened, resources }, port);
  const { name } = opened.discovery.implementation;
  stdout.write(`${escapeLine(name)}: ${explorer.url} (Ctrl-C ends it)\n`);
  if (isOpened) openInBrowser(explorer.url, io);
  await ended;
  return 'ended';
}

/**
 * Runs the command: shows an implementation on a port of this computer until it is stopped. It never ends the process; what still
 * waits for a server then is left behind.
 * @param argv without the names of the program
 * @returns the exit code: 0 ok, 1 failed, or stopped before the page was there, 2 wrong usage
 */
export async function runExplorerCommand(argv: readonly string[], process: CommandIo): Promise<number> {
  // Text from elsewhere must not control the terminal.
  const io = { ...process, stdout: escapedOutput(process.stdout), stderr: escapedOutput(process.stderr) };
  let asked: Arguments | string;
  try {
    asked = await readArguments(argv, process.name ?? 'rostack-explorer');
  } catch (error) {
    io.stderr.write(
      `error: ${error instanceof Error ? error.message : String(error)}\n(add --help for the usage)\n`,
    );
    return 2;
  }
  if (typeof asked === 'string') {
    io.stdout.write(asked);
    return 0;
  }
  try {
    return (await show(asked, io)) === 'ended' ? 0 : 1;
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    io.stderr.write(`error: ${error.message}\n`);
    return 1;
  }
}
