import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from 'rostack-core/testing';
import { Findings } from '../check/findings.ts';
import type { CheckResult } from '../run/run-check.ts';
import { Activity } from './scene/activity.ts';
import { type Certificate, loopbackCertificate } from './scene/certificate.ts';
import type { ClientCheck } from './scene/client-check.ts';
import { Scene, SceneOver, WIRE_IDS } from './scene/scene.ts';
import { ScriptedServer } from './scene/scripted-server.ts';

/** How to run the checks of a client. */
export interface ClientRunOptions {
  /** A command line that starts the adapter. */
  readonly command: string;
  readonly seed: number;
  /** How long the client may take for anything that it has to do, in milliseconds. */
  readonly patienceMs: number;
  /** How many checks run at the same time; they mostly wait. */
  readonly concurrency: number;
  /** Cancels the run. */
  readonly signal: AbortSignal;
  readonly onCheck: (result: CheckResult) => void;
}

/** Runs checks, each with its own server and process. */
export async function runClientChecks(
  checks: readonly ClientCheck[],
  options: ClientRunOptions,
): Promise<{ readonly results: readonly CheckResult[]; readonly requests: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  try {
    const certificate = await loopbackCertificate();
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, certificate.cert);
    const results: CheckResult[] = [];
    const waiting = [...checks.entries()];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, check] = next;
        const place = { certificate, caFile, folder: await mkdtemp(join(folder, 'state-')) };
        const result = await runClientCheck(check, place, options);
        options.signal.throwIfAborted();
        results[index] = result;
        options.onCheck(result);
      }
    };
    await Promise.all(Array.from({ length: options.concurrency }, work));
    return { results, requests: results.reduce((sum, { requests }) => sum + requests, 0) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runClientCheck(
  check: ClientCheck,
  place: { readonly certificate: Certificate; readonly caFile: string; readonly folder: string },
  { command, seed, patienceMs, signal }: ClientRunOptions,
): Promise<CheckResult> {
  const startedMs = performance.now();
  const requirements = [...new Set([...check.requirements, ...WIRE_IDS])];
  const findings = new Findings(requirements);
  const activity = new Activity();
  const random = new SeededRandom(seed);
  await using server = await ScriptedServer.start({
    options: check.options ?? {},
    certificate: place.certificate,
    token: Array.from({ length: 43 }, () => random.pick(TOKEN_LETTERS)).join(''),
    activity,
  });
  for (const id of ['a', 'b', 'c', 'd', 'e']) server.put(id, random.integer(10, 99));
  await using scene = new Scene({
    server,
    adapter: { command, caFile: place.caFile, activity, signal },
    folder: place.folder,
    activity,
    findings,
    requirements: check.requirements,
    patienceMs,
  });
  let error: Error | undefined;
  try {
    await check.run(scene);
  } catch (cause) {
    if (!(cause instanceof SceneOver)) error = cause instanceof Error ? cause : new Error(String(cause));
  }
  scene.judgeWire();
  const judged = new Set(findings.all.map(({ id }) => id));
  for (const id of check.requirements) {
    if (!judged.has(id)) findings.skip(id, 'the client did not come so far');
  }
  return {
    check: { name: check.name, level: 'follows', requirements },
    findings: findings.all,
    ...(error !== undefined && { error }),
    durationMs: Math.round(performance.now() - startedMs),
    requests: server.requests.length,
  };
}

const TOKEN_LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
