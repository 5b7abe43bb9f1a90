import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { adminGateway } from './support/admin-gateway.ts';
import { lintCompose } from './support/lint-compose.ts';

const deploy = resolve(import.meta.dirname, '../deploy');
const read = (name: string) => readFile(join(deploy, name), 'utf8');
const text = z.string().min(1);

/** What Prometheus takes as a file of rules, as far as ours go. */
const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Rostack[A-Za-z]+$/),
          expr: text,
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string().regex(/\.$/) }),
        }),
      ),
    }),
  ),
});

const Datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`\${prometheus}`) });

/** What Grafana takes as a board, as far as ours goes. */
const Board = z.looseObject({
  uid: text,
  title: text,
  schemaVersion: z.int(),
  templating: z.object({
    list: z.array(z.looseObject({ name: z.literal('prometheus'), type: z.literal('datasource') })).length(1),
  }),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      type: z.literal('timeseries'),
      title: text,
      datasource: Datasource,
      gridPos: z.strictObject({
        h: z.int().positive(),
        w: z.int().positive().max(24),
        x: z.int().min(0).max(23),
        y: z.int().min(0),
      }),
      targets: z.array(z.strictObject({ refId: text, expr: text, legendFormat: text })).min(1),
    }),
  ),
});

/** Metrics that a gateway of one process does not have of itself. */
const OTHERS = new Set(['up', 'rostack_workers', 'rostack_worker_restarts_total']);

/** What is wrong with an expression, by the grammar of Prometheus. */
function faultsOf(expression: string, known: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      const written = expression.slice(from, to);
      if (type.isError) faults.push(`${expression}: ends or goes wrong at ${from}`);
      if (type.name !== 'Identifier' || node.parent?.name !== 'VectorSelector') return;
      if (!known.has(written)) faults.push(`${expression}: no metric ${written}`);
    },
  });
  return faults;
}

async function metricNames(): Promise<ReadonlySet<string>> {
  await using running = await adminGateway({
    environment: { CANARY_TOKEN: 'none' },
    sections: 'metrics: { canary: { resource: stations, token: { env: CANARY_TOKEN }, interval: 1h } }',
  });
  const metrics = await (await running.admin('/metrics')).text();
  const names = [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...names, ...OTHERS]);
}

test('every expression of the alert rules and the board is PromQL over metrics that a gateway has', async () => {
  const rules = Rules.parse(parse(await read('../docs/alerts.yaml'))).groups.flatMap((group) => group.rules);
  const board = Board.parse(JSON.parse(await read('../docs/grafana-board.json')));
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const known = await metricNames();
  expect(expressions.flatMap((expression) => faultsOf(expression, known))).toEqual([]);
  expect(faultsOf('sum(rate(rostack_events_total[5m])', known)).not.toEqual([]);
  expect(faultsOf('rate(rostack_evnts_total[5m])', known)).toHaveLength(1);
});

test('the linter finds nothing in compose.yaml, which mounts only files that are there, and names only its secrets', async () => {
  const { found, foundInBroken } = await lintCompose(join(deploy, 'compose.yaml'));
  expect(found).toEqual([]);
  expect(foundInBroken).not.toEqual([]);

  const Compose = z.object({
    services: z.record(
      z.string(),
      z.object({ volumes: z.array(z.string()).default([]), secrets: z.array(z.string()).default([]) }),
    ),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  });
  const { services, secrets } = Compose.parse(parse(await read('compose.yaml')));
  const named = Object.values(services).flatMap((service) => service.secrets);
  expect(new Set(named)).toEqual(new Set(Object.keys(secrets)));
  const mounted = Object.values(services).flatMap((service) => service.volumes);
  const files = mounted.map((volume) => volume.split(':')[0] ?? '').filter((file) => file.startsWith('.'));
  expect(files.filter((file) => !existsSync(join(deploy, file)))).toEqual([]);
});
