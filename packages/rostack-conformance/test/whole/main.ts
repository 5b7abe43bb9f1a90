/** Checks the gateway with many seeds, over both databases and in both releases; see `pnpm conformance --help`. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { RELEASES, type Release } from 'rostack-core';
import { createDatabase } from 'test-support/postgres';
import { stringify } from 'yaml';
import {
  type ConformanceRun,
  LEVELS,
  runConformance,
  summaryOf,
  type Target,
  toReport,
  type Verdict,
  writeReport,
} from '../../src/index.ts';
import { startAuthorizationServer, withAccessTokens } from '../support/authorization-server.ts';
import { driveGateway } from '../support/drive-gateway.ts';
import { serveGateway } from '../support/serve-gateway.ts';

const HELP = `The conformance kit against the gateway

  pnpm conformance [--seeds 1] [--from 1] [--level survives] [--only NAME] [--stores sqlite,postgres]
                   [--releases 2026-08-12,2026-08-13] [--embedded] [--report FOLDER] [--record]

Each seed is a run against the same gateway; the last one is followed by one with access tokens, of Speaks and Reads.
--embedded has the gateway in this process, with a driver of its own: no commands are started, so that many seeds take less time.
--report writes what the last seed found, below a folder for each;
--record writes it to reports/rostack-gateway, of the last store of each release, and the matrix made from it.
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    level: { type: 'string', default: 'survives' },
    only: { type: 'string', multiple: true },
    stores: { type: 'string', default: 'sqlite,postgres' },
    releases: { type: 'string', default: RELEASES.join(',') },
    embedded: { type: 'boolean', default: false },
    report: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const latest = new Map<Release, ConformanceRun>();

const isBroken = ({ status, failures }: Verdict): boolean => failures.length > 0 || status === 'error';

/** Runs all seeds against one gateway, and once with access tokens. @returns how many runs found something */
async function checkGateway(release: Release, store: string): Promise<number> {
  await using database = store === 'postgres' ? await createDatabase() : undefined;
  await using authorizationServer = await startAuthorizationServer();
  const start = values.embedded ? serveGateway : driveGateway;
  await using served = await start(release, { database, authorizationServer });
  const level = LEVELS.find((name) => name === values.level) ?? 'survives';
  const { only } = values;
  const target: Target = {
    ...served.target,
    ca: `${served.target.ca}\n${authorizationServer.ca}`,
    level,
    only,
  };
  const startedMs = performance.now();
  const runs: ConformanceRun[] = [];
  const done = (run: ConformanceRun): void => {
    runs.push(run);
    tellBroken(run, `${store} ${release}`);
  };
  const first = Number(values.from);
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const run = await runConformance({ ...target, seed });
    done(run);
    latest.set(release, run);
    if (values.report !== undefined) {
      const folder = `${values.report}/${store}-${release}`;
      await rm(folder, { recursive: true, force: true });
      await writeReport(toReport(run), folder);
    }
  }
  const accessTokens = withAccessTokens(target, authorizationServer);
  done(await runConformance({ ...accessTokens, seed: first, level: level === 'speaks' ? level : 'reads' }));
  const found = runs.filter(({ verdicts }) => verdicts.some(isBroken)).length;
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  tell(
    `${store} ${release}: ${values.seeds} seeds, ${found} found something, ${requests} requests, ${seconds} s`,
  );
  return found;
}

function tellBroken({ seed, verdicts }: ConformanceRun, where: string): void {
  for (const { requirement, status, reason, failures } of verdicts.filter(isBroken)) {
    const said = failures.map(({ check, got, exchange }) => `${check}: ${exchange?.url ?? ''} ${got}`);
    tell(`${where} seed ${seed}: ${status} ${requirement.id} ${reason ?? ''}\n${said.join('\n')}`);
  }
}

/** Writes the report of this version of the gateway. */
async function record(): Promise<void> {
  const manifest = await readFile(
    new URL('../../../../apps/rostack-gateway/package.json', import.meta.url),
    'utf8',
  );
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
  const folder = new URL(`../../../../reports/${name}/`, import.meta.url);
  const runs = [...latest.values()].map((run) => summaryOf(toReport(run)));
  const report = {
    implementation: name,
    version,
    language: 'TypeScript',
    url: 'https://github.com/rostack/rostack',
    runs,
  };
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${version}.yaml`, folder), stringify(report));
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) tell(HELP);
else {
  for (const store of values.stores.split(',')) {
    for (const release of RELEASES.filter((name) => values.releases.split(',').includes(name))) {
      if ((await checkGateway(release, store)) > 0) process.exitCode = 1;
    }
  }
  if (values.record) await record();
}
