/**
 * What a gateway takes until it serves many resources over SQLite, started as the image does: processor time and memory, over a database
 * that has them already and over an empty one. `BENCH_RESOURCES` lists the counts; the bars are for the last one.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtProgram } from 'test-support/built-program';
import { temporaryFolder } from 'test-support/temporary-folder';
import { GatewayProcess } from '../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { IMAGE_PROCESS } from '../support/gateway/image-process.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';

const COUNTS = (process.env['BENCH_RESOURCES'] ?? '100,200,400,1000').split(',').map(Number);
const MAX_CPU_S = 10;
const MAX_MIB = 400;

builtProgram('apps/rostack-gateway/dist/cli/main.js');

async function writeResources(folder: string, count: number): Promise<void> {
  const resources: Record<string, object> = {};
  for (let number = 0; number < count; number += 1) {
    const schema = {
      title: `Resource ${number}`,
      type: 'object',
      additionalProperties: false,
      required: ['id', 'name'],
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        height: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
        place: {
          type: 'object',
          additionalProperties: false,
          properties: { town: { type: 'string' }, latitude: { type: 'number' } },
        },
      },
    };
    await writeFile(join(folder, `${number}.json`), JSON.stringify(schema));
    resources[`resource-${number}`] = {
      schema: `${number}.json`,
      read_permissions: ['things:read'],
      subscribe_permissions: [],
      filterable: { '/name': 'all', '/height': 'all' },
      sortable: ['/name'],
      event_filtering: true,
      events: {
        [`resource${number}.made`]: { transition: 'create' },
        [`resource${number}.changed`]: { transition: 'update' },
        [`resource${number}.gone`]: { transition: 'delete' },
      },
    };
  }
  const config = {
    identity: { id: 'many', name: 'Many', api_version: '1' },
    documentation_url: 'https://localhost/docs',
    listeners: { data: { port: 0 } },
    log: { level: 'silent' },
    permissions: { 'things:read': 'Read things.' },
    resources,
  };
  await writeFile(join(folder, 'rostack-gateway.yaml'), JSON.stringify(config));
}

interface Start {
  readonly cpuS: number;
  /** The most that was resident. */
  readonly mib: number;
}

async function start(folder: string): Promise<Start> {
  const surroundings = { folder, ...IMAGE_PROCESS };
  await using gateway = new GatewayProcess(['start'], surroundings);
  await gateway.prints(/on port (\d+)/);
  const pid = gateway.child.pid ?? 0;
  const cpuS = (await cpuUsOf(pid)) / 1e6;
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  await gateway.stop();
  return { cpuS, mib: Number(kib) / 1_024 };
}

let last: { readonly first: Start; readonly again: Start } | undefined;
for (const count of COUNTS) {
  await using folder = await temporaryFolder();
  await writeResources(folder.path, count);
  const first = await start(folder.path);
  const again = await start(folder.path);
  last = { first, again };
  const shown = ({ cpuS, mib }: Start) => `${cpuS.toFixed(1)} s of processor time, ${mib.toFixed(0)} MiB`;
  console.log(`${count} resources: ${shown(again)}; over an empty database ${shown(first)}`);
}
if (last !== undefined) {
  const note = `${COUNTS.at(-1)} resources until they are served; over an empty database ${last.first.cpuS.toFixed(1)} s`;
  report('rostack-gateway/many-resources/cpu', {
    ratio: last.again.cpuS,
    bar: MAX_CPU_S,
    want: 'at most',
    note,
  });
  report('rostack-gateway/many-resources/memory', {
    ratio: last.again.mib,
    bar: MAX_MIB,
    want: 'at most',
    note,
  });
}
