import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runFaults } from '../scripts/judge-run.ts';

const root = resolve(import.meta.dirname, '..');
const COMMIT = ['unit', 'integration', 'repository', 'timed'];

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.test.ts', '*.test.tsx'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /^(?:packages|apps|test|tools)\//.test(file));

/** The projects of Vitest in which each file is, by its path. */
function projectsByFile(): ReadonlyMap<string, string[]> {
  const listed = execFileSync('node_modules/.bin/vitest', ['list', '--filesOnly', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const projects = new Map<string, string[]>();
  for (const { file, projectName } of JSON.parse(listed) as { file: string; projectName: string }[]) {
    const path = relative(root, file);
    projects.set(path, [...(projects.get(path) ?? []), projectName]);
  }
  return projects;
}

test('each test file is in exactly one project, and what it is called says in which tier', () => {
  const projects = projectsByFile();
  const wrong = files.flatMap((file) => {
    const found = projects.get(file) ?? [];
    const tier = /\.(night|timed)\.test\.tsx?$/.exec(file)?.[1];
    const isRight =
      found.length === 1 && (tier === undefined ? COMMIT.includes(found[0] ?? '') : found[0] === tier);
    return isRight ? [] : [`${file}: ${found.join(', ') || 'none'}`];
  });
  expect(wrong).toEqual([]);
});

test('each promise is shown by a test of the commit, or by a command of its own', () => {
  const rows = readFileSync(resolve(root, 'docs/guides/promises.md'), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| (?!promise |-)(.+?) +\| (.*`pnpm .*)\|$/.exec(line)?.slice(1, 3) ?? []);
  expect(rows.length).toBeGreaterThan(50);
  const wrong: string[] = [];
  for (let at = 0; at < rows.length; at += 2) {
    const [promise = '', shown = ''] = rows.slice(at, at + 2);
    const commands = [...shown.matchAll(/`pnpm ([^`]+)`/g)].map(([, command = '']) => command);
    const isTest = commands.some((command) => command.startsWith('vitest '));
    const ofCommit = commands.filter(
      (command) => command.startsWith('vitest ') && !/\.night\.test/.test(command),
    );
    if (isTest && ofCommit.length === 0) wrong.push(promise);
  }
  expect(wrong).toEqual([]);
});

test('a run is judged by more than its verdicts', () => {
  const named = (name: string, isSkipped = false) => ({
    file: 'a.test.ts',
    fullName: `suite > ${name}`,
    name,
    isSkipped,
  });
  expect(runFaults([named('one'), named('2 of them')], true)).toEqual([]);
  expect(runFaults([named('one', true)], false)).toEqual([]);
  expect(runFaults([named('one', true)], true)).toEqual([
    'a.test.ts: suite > one was skipped, which is a failure where CI is set',
  ]);
  expect(runFaults([named('1,000')], true)).toEqual([
    'a.test.ts: suite > 1,000 has a name that says nothing',
  ]);
  expect(runFaults([named('one'), named('one')], true)).toEqual([
    'a.test.ts: suite > one has the name of another test of its file',
  ]);
});
