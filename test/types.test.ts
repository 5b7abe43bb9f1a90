import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript-5';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

function tracked(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .trim()
    .split('\n')
    .filter((file) => ts.sys.fileExists(join(root, file)));
}

test('the types of each file are checked: it belongs to a tsconfig.json', () => {
  const configurations = tracked('tsconfig.json', '*/tsconfig.json');
  const belonging = new Set(
    configurations.flatMap((file) => {
      const path = join(root, file);
      const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name)) as { config: unknown };
      return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).fileNames;
    }),
  );
  const files = tracked('*.ts', '*.tsx', 'apps/cafeteria-web/assets/*.js');
  expect(files.length).toBeGreaterThan(2_000);
  expect(files.filter((file) => !belonging.has(join(root, file)))).toEqual([]);
});
