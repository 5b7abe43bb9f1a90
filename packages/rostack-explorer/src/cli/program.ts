import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { escapedOutput, escapeLine, parseTrustedJson } from 'rostack-core';
import { OpenError } from './open-error.ts';
import { type IdPointers, idsOfResources, readIdPointers } from './read-id-pointers.ts';
import { readImplementation } from './read-implementation.ts';
import { serveExplorer } from './serve-explorer.ts';

const HELP = `Usage: rostack-explorer <url> [options]

Shows a rostack_v1 implementation in the browser: its reference, its records, its live events.
<url> is its origin or the URL of its discovery document: https, or http on this computer.

Options:
  --port <number>  port on 127.0.0.1 (default: a free one)
  --open           opens the page in the browser
  --record-id <pointer>
                   where the id of a record is, such as /deviceId, or things=/deviceId for one
                   resource (default: /id, or what the records show)
  --help           shows this
  --version        shows the version

The page asks for a token when it needs one. Where the discovery document itself is not public,
put a token into the environment variable ROSTACK_TOKEN.
`;

interface Arguments {
  readonly place: string;
  readonly port: number;
  readonly isOpened: boolean;
  readonly idPointers: IdPointers;
}

/** The arguments, or what to print instead. @throws Error with a sentence for the user */
async function readArguments(): Promise<Arguments | string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      open: { type: 'boolean', default: false },
      'record-id': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  if (values.help) return HELP;
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
function openInBrowser(url: string): void {
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[
    process.platform as string
  ] ?? ['xdg-open'];
  spawn(command ?? '', [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => stderr.write('No browser could be opened; open the address yourself.\n'))
    .unref();
}

/** Text from elsewhere must not control the terminal. */
const stdout = escapedOutput(process.stdout);
const stderr = escapedOutput(process.stderr);

async function show({ place, port, isOpened, idPointers }: Arguments): Promise<void> {
  const ended = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  const reading = readImplementation(place, process.env['ROSTACK_TOKEN']);
  const opened = await Promise.race([reading, ended.then(() => undefined)]);
  // What it waits for would keep the process alive.
  if (opened === undefined) process.exit(1);
  const resources = idsOfResources(opened.discovery, idPointers);
  await using explorer = await serveExplorer({ ...opened, resources }, port);
  const { name } = opened.discovery.implementation;
  stdout.write(`${escapeLine(name)}: ${explorer.url} (Ctrl-C ends it)\n`);
  if (isOpened) openInBrowser(explorer.url);
  await ended;
}

let asked: Arguments | string | undefined;
try {
  asked = await readArguments();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`rostack-explorer: ${message}\nSee rostack-explorer --help.\n`);
  process.exitCode = 2;
}
if (typeof asked === 'string') stdout.write(asked);
else if (asked !== undefined) {
  try {
    await show(asked);
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    stderr.write(`rostack-explorer: ${error.message}\n`);
    process.exitCode = 1;
  }
}
