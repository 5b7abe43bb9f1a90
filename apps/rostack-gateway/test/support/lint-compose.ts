import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { temporaryFolder } from 'test-support/temporary-folder';

/** What the linter, which knows the schema of compose files, finds in one, and in the same with a misspelt member. */
export async function lintCompose(file: string) {
  await using folder = await temporaryFolder();
  const broken = join(folder.path, 'compose.yaml');
  await writeFile(broken, (await readFile(file, 'utf8')).replace('healthcheck:', 'healthchek:'));
  return { found: lint(file), foundInBroken: lint(broken) };
}

function lint(file: string): readonly object[] | undefined {
  const linter = new DCLinter({
    rules: { 'require-quotes-in-ports': [2, { quoteType: 'double' }] },
    quiet: false,
    debug: false,
    exclude: [],
  });
  return linter.lintFiles([file], false)[0]?.messages;
}
