import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Release } from 'rostack-core';
import { builtProgram } from 'test-support/built-program';
import { GatewayProgram } from '../../src/driver/gateway-program.ts';
import { ProcessDriver, type Target } from '../../src/index.ts';
import { ADMIN_TOKEN, GRANTS, POOR_GRANTS, RECORDS, writeGatewayConfig } from './gateway-config.ts';
import type { ServeOptions } from './serve-gateway.ts';

const CLI = builtProgram('packages/rostack-conformance/dist/cli/cli.js');
const GATEWAY = builtProgram('apps/rostack-gateway/dist/cli/main.js');

export interface DrivenGateway extends AsyncDisposable {
  readonly driver: ProcessDriver;
  readonly target: Target;
}

/** As `serveGateway`, in a process of its own, with the driver that the package ships for it. */
export async function driveGateway(
  release: Release,
  { database, authorizationServer }: ServeOptions = {},
): Promise<DrivenGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  const { file, url, adminUrl, certificate } = await writeGatewayConfig(folder, {
    release,
    storeUrl: database?.url,
    ...authorizationServer,
  });
  const authorities = join(folder, 'authorities.pem');
  await writeFile(authorities, authorizationServer?.ca ?? '');
  const copying = database?.copying;
  const argv = [
    CLI,
    'gateway-driver',
    '--config',
    file,
    '--admin',
    adminUrl,
    ...(copying === undefined ? [] : ['--no-sqlite', '--save', copying.save, '--restore', copying.restore]),
    '--admin-token-env',
    'ADMIN_TOKEN',
    '--principal',
    'main',
    '--grant',
    ...GRANTS,
    '--',
    process.execPath,
    GATEWAY,
  ];
  const command = [process.execPath, ...argv].map(quoted).join(' ');
  const environment = `ADMIN_TOKEN=${ADMIN_TOKEN} NODE_EXTRA_CA_CERTS=${quoted(authorities)}`;
  const driver = await ProcessDriver.start(`${environment} exec ${command}`);
  try {
    await driver.burst(
      'stations',
      RECORDS.map((record) => ({ op: 'put', record })),
    );
    const program = new GatewayProgram({
      argv: ['env', `ADMIN_TOKEN=${ADMIN_TOKEN}`, process.execPath, GATEWAY],
      config: file,
    });
    const tokenOf = (principal: string, grants: readonly string[]) =>
      program.run(['token', 'create', '--principal', principal, '--grant', ...grants]);
    return {
      driver,
      target: {
        url,
        ca: await readFile(certificate, 'utf8'),
        token: await driver.issue({}),
        secondToken: await tokenOf('second', GRANTS),
        poorToken: await tokenOf('poor', POOR_GRANTS),
        driver,
      },
      async [Symbol.asyncDispose]() {
        await driver.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** A word for the shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
