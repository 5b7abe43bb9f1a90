import { writeFile } from 'node:fs/promises';
import { connect, readSchemas, UsageError } from 'rostack-client';
import {
  type AnyDiscoveryDocument,
  asyncApiOf,
  escapeControls,
  type JsonSchema,
  openApiOf,
  typeScriptOf,
} from 'rostack-core';
import type { CliIo, RegisterCommand } from '../command/command.ts';
import { type ConnectionOptions, isAccessToken, withConnection } from '../command/connection.ts';

interface DescribeArguments extends ConnectionOptions {
  readonly out?: string;
}

type Describe = (
  discovery: AnyDiscoveryDocument,
  schemas: ReadonlyMap<string, JsonSchema>,
  url: string,
) => string;

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const DESCRIPTIONS: readonly { readonly name: string; readonly what: string; readonly describe: Describe }[] =
  [
    {
      name: 'types',
      what: 'write TypeScript types of its records, filters, sorts and events',
      describe: (discovery, schemas) => typeScriptOf(discovery, schemas),
    },
    {
      name: 'openapi',
      what: 'write its JSON API as OpenAPI 3.1',
      describe: (discovery, schemas) => asJson(openApiOf(discovery, schemas)),
    },
    {
      name: 'asyncapi',
      what: 'write its WebSocket gateway as AsyncAPI 3',
      describe: (discovery, schemas) => asJson(asyncApiOf(discovery, schemas)),
    },
  ];

/** `types`, `openapi` and `asyncapi`: an implementation, described from discovery and its schemas. */
export const registerDescriptions: RegisterCommand = (program, io) => {
  for (const { name, what, describe } of DESCRIPTIONS) {
    withConnection(
      program
        .command(`${name} <url>`)
        .description(`${what}; a token is needed only where discovery is not public`)
        .option('--out <file>', 'file to write; without it, standard output'),
    ).action(async (url: string, options: DescribeArguments) => {
      const { discovery, schemas } = await readImplementation(url, options, io);
      // In a file too: source code whose text runs backwards says something else than it does.
      const text = escapeControls(describe(discovery, schemas, url));
      if (options.out === undefined) io.stdout.write(text);
      else await writeFile(options.out, text);
    });
  }
};

async function readImplementation(url: string, { tokenEnv, auth }: ConnectionOptions, io: CliIo) {
  const credentials = () => {
    const token = io.environment[tokenEnv] ?? '';
    if (token === '') {
      throw new UsageError(
        `discovery is not public there: put a token into the environment variable ${tokenEnv}`,
      );
    }
    return { method: auth ?? (isAccessToken(token) ? 'oauth2' : 'shared_token'), token } as const;
  };
  const options = { allowInsecureLoopback: true, signal: io.stop };
  await using client = await connect(url, credentials, options);
  const { discovery } = client;
  const isInsecure = url.startsWith('http:');
  return {
    discovery,
    schemas: await readSchemas(discovery, { allowInsecureLoopback: isInsecure, signal: io.stop }),
  };
}
