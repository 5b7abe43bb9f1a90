import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Command } from 'commander';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { withCheckOptions } from '../src/cli/check-options.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Record<string, string>; readonly run: string }[];
  };
}

const read = (file: string) => readFile(new URL(`../${file}`, import.meta.url), 'utf8');
const { inputs, runs } = parse(await read('action.yml')) as Action;
const [step] = runs.steps;
const OPTIONS = withCheckOptions(new Command()).options.flatMap(({ long }) => long ?? []);

/** Runs the script of the action with `npx` replaced by what prints its arguments. */
async function argumentsFor(given: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  try {
    await writeFile(join(folder, 'npx'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    await chmod(join(folder, 'npx'), 0o755);
    const env = Object.entries(step?.env ?? {}).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(text)?.[1] ?? '';
      return [name, given[input] ?? inputs[input]?.default ?? ''];
    });
    const { stdout, status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? ''], {
      encoding: 'utf8',
      env: { ...Object.fromEntries(env), PATH: `${folder}${delimiter}${process.env['PATH']}` },
    });
    expect(status).toBe(0);
    return stdout.trimEnd().split('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the action gives the command options that it has, and none for what is not given', async () => {
  const least = await argumentsFor({ url: 'https://a.example' });
  expect(least.slice(-7)).toEqual([
    'https://a.example',
    '--level',
    'survives',
    '--observe',
    '0s',
    '--report',
    'conformance-report',
  ]);
  const given = Object.fromEntries(Object.keys(inputs).map((name) => [name, `a "$(b)" ${name}`]));
  const all = await argumentsFor(given);
  const options = all.slice(all.indexOf('rostack-conformance') + 1).filter((text) => text.startsWith('--'));
  expect(options.filter((option) => !OPTIONS.includes(option))).toEqual([]);
  expect(options).toHaveLength(8);
  expect(all).toContain('a "$(b)" url');
  expect(all).toContain('a "$(b)" driver');
  // Tokens are in variables alone.
  expect(all.join('\n')).not.toMatch(/^a "\$\(b\)" .*token$/m);
});

test('every input of the action is used', () => {
  const used = Object.values(step?.env ?? {}).join('\n');
  expect(Object.keys(inputs).filter((name) => !used.includes(`inputs.${name} }}`))).toEqual([]);
  expect(step?.run).not.toContain('${{');
});

test('the linter finds nothing in the Dockerfile', async () => {
  expect(validate(await read('docker/Dockerfile'))).toEqual([]);
});
