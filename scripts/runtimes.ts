/**
 * Runs the built rostack-core and rostack-client in other runtimes against a gateway: `npm run runtimes [-- deno bun node]`. Deno and Bun
 * come from npm, in the versions given here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './run.ts';

const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath],
  deno: ['npx', '--yes', 'deno@2.9.6', 'run', '--allow-all', '--node-modules-dir=manual'],
  bun: ['npx', '--yes', 'bun@1.4.5', 'run'],
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(RUNTIMES);
const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
const main = join(root, 'apps/rostack-gateway/dist/cli/main.js');
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const port = (probe.address() as { port: number }).port;
probe.close();
const url = `https://localhost:${port}`;
const env = { ...process.env, ROSTACK__LISTENERS__DATA__PORT: String(port) };

function gateway(...argv: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...argv], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`rostack-gateway ${argv.join(' ')}: ${stderr}`);
  return stdout;
}

function put(id: string): void {
  writeFileSync(join(folder, `${id}.ndjson`), `${JSON.stringify({ id, name: id, status: 'online' })}\n`);
  gateway('import', 'stations', `${id}.ndjson`);
}

/** Runs the program; `onLine` is called with each line that it prints. */
async function smoke(name: string, token: string, onLine: (line: string) => void): Promise<void> {
  const [command = '', ...options] = RUNTIMES[name] ?? [];
  if (command === '') throw new Error(`${name} is none of ${Object.keys(RUNTIMES).join(', ')}.`);
  const program = join(root, 'scripts/runtimes/smoke.ts');
  const certificate = join(folder, 'trusted.pem');
  const child = spawn(command, [...options, program, url, token], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, DENO_CERT: certificate },
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) onLine(line);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}.`);
}

gateway('init');
const token = gateway(
  'token',
  'create',
  '--principal',
  'me',
  '--grant',
  'stations:read',
  'stations:follow',
).trim();
const server = spawn(process.execPath, [main, 'start'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await once(server.stdout, 'data');
  const trusted = [process.env['NODE_EXTRA_CA_CERTS'], join(folder, 'data/localhost.crt.pem')];
  const certificates = trusted.filter((file) => file !== undefined).map((file) => readFileSync(file, 'utf8'));
  writeFileSync(join(folder, 'trusted.pem'), certificates.join('\n'));
  for (const [index, name] of names.entries()) {
    put(`before-${index}`);
    await smoke(name, token, (line) => {
      if (line === 'live') put(`after-${index}`);
    });
    console.log(`${name}: done`);
  }
} finally {
  server.kill();
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
