import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createProject, FolderNotEmptyError, ProjectOptionsError } from '../create-project.ts';
import { isTemplate, TEMPLATES, type Template } from '../templates.ts';

const DEFAULT_FOLDER = 'my-data';

/** What a shell says of a program that was ended with Ctrl+C. */
const EXIT_CODE_INTERRUPTED = 130;

const NAMES = Object.keys(TEMPLATES) as Template[];

const HELP = `Usage: npm create rostack [folder] [-- options]

Makes a small project that serves live data over rostack_v1, in a new or empty folder.

Options:
  --template <name>  ${NAMES.map((name) => `${name}: ${TEMPLATES[name]}`).join('\n                     ')}
  --help             shows this
  --version          shows the version

At a terminal, what is missing is asked for.
`;

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (values.version) {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    process.stdout.write(`${(JSON.parse(manifest) as { readonly version: string }).version}\n`);
    return;
  }
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new ProjectOptionsError('pass one folder');
  // `createProject` refuses what is none.
  const template = values.template as Template | undefined;
  const chosen =
    folder === undefined || template === undefined ? await ask({ folder, template }) : { folder, template };
  const made = await createProject(chosen);
  const place = relative('', made.folder);
  process.stdout.write(`
Made ${made.files.join(', ')}

${place === '' ? '' : `  cd ${place}\n`}  npm install
${made.nextSteps.map((step) => `  ${step}\n`).join('')}`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        help: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new ProjectOptionsError(error instanceof Error ? error.message : String(error));
  }
}

interface Choice {
  readonly folder: string;
  readonly template: Template;
}

/** Asks for what is not given. @throws ProjectOptionsError where there is nobody to ask */
async function ask(given: { folder: string | undefined; template: Template | undefined }): Promise<Choice> {
  if (!process.stdin.isTTY)
    throw new ProjectOptionsError(
      `without a terminal, pass both: create-rostack my-data --template ${NAMES.join('|')}`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // In Node.js 22 a question stays open when the terminal is closed, with Ctrl+C or Ctrl+D.
  const left = new AbortController();
  terminal.once('close', () => left.abort());
  const askFor = async (question: string): Promise<string> =>
    (await terminal.question(question, { signal: left.signal })).trim();
  try {
    const folder = given.folder ?? ((await askFor(`Folder (${DEFAULT_FOLDER}): `)) || DEFAULT_FOLDER);
    let { template } = given;
    for (const [index, name] of NAMES.entries())
      if (given.template === undefined) process.stdout.write(`  ${index + 1}  ${name}: ${TEMPLATES[name]}\n`);
    while (template === undefined) {
      const answer = (await askFor('Template (1): ')) || '1';
      template = isTemplate(answer) ? answer : NAMES[Number(answer) - 1];
    }
    return { folder, template };
  } finally {
    terminal.close();
  }
}

try {
  await main();
} catch (error) {
  if (hasLeft(error)) {
    process.stdout.write('\n');
    process.exitCode = EXIT_CODE_INTERRUPTED;
  } else if (error instanceof ProjectOptionsError || error instanceof FolderNotEmptyError) {
    process.stderr.write(`create-rostack: ${error.message}\n`);
    process.exitCode = error instanceof ProjectOptionsError ? 2 : 1;
  } else throw error;
}

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ABORT_ERR';
}
