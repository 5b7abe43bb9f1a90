import { parseArgs } from 'node:util';
import { z } from 'zod';

export const HELP = `menu-mcp: cafeteria menus for an MCP client over stdio

  --planeat-url <url>    instead of https://m.planeatchoice.net/v2
  --welstory-url <url>   instead of https://welplus.welstory.com
  --store <url>          cache: memory: (default), sqlite:<file> or postgres://...
  --help                 this text

Shinsegae Food needs no account. Samsung Welstory is asked only when the environment has WELSTORY_USERNAME and
WELSTORY_PASSWORD.
`;

const url = z.url({ protocol: /^https?$/, error: 'Send an http or https URL.' });

const optionsSchema = z.object({
  planeatUrl: url.optional(),
  welstoryUrl: url.optional(),
  store: z.string().min(1).default('memory:'),
  credentials: z.object({ username: z.string(), password: z.string() }).optional(),
});

export type CliOptions = z.output<typeof optionsSchema>;

/** The command's options; `help` when the user asked for it. @throws Error with one sentence */
export function parseCliOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CliOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'planeat-url': { type: 'string' },
      'welstory-url': { type: 'string' },
      store: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  const { WELSTORY_USERNAME: username, WELSTORY_PASSWORD: password } = environment;
  const parsed = optionsSchema.safeParse({
    planeatUrl: values['planeat-url'],
    welstoryUrl: values['welstory-url'],
    store: values.store,
    ...(username !== undefined && password !== undefined ? { credentials: { username, password } } : {}),
  });
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}
