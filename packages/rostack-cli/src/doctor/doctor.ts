import { connect } from 'rostack-client';
import { DISCOVERY_PATH, escapeLine, isLoopback, SHARED_TOKEN_SCHEME } from 'rostack-core';
import { CliFailure, type CliIo, type RegisterCommand, writeLine } from '../command/command.ts';
import { type ConnectionOptions, isAccessToken, withConnection } from '../command/connection.ts';
import { checkFollows, checkReads } from './check-access.ts';
import { checkDiscovery, checkSchemas } from './check-discovery.ts';
import { checkConnection, checkDns, checkProxy, checkTls } from './check-network.ts';
import { checkUpgrade } from './check-upgrade.ts';
import { type Finding, fault, unchecked, warning } from './finding.ts';

interface DoctorArguments extends ConnectionOptions {
  readonly json?: boolean;
  readonly timeServer: string;
}

/** `doctor`: what is wrong between here and a server. */
export const registerDoctor: RegisterCommand = (program, io) => {
  withConnection(
    program
      .command('doctor <url>')
      .description(
        'say what is wrong between here and a server, and what to do; exit code 1 when something is',
      )
      .option('--json', 'a JSON text a line instead of sentences')
      .option('--time-server <host[:port]>', 'NTP server to ask where the clocks differ', 'pool.ntp.org'),
  ).action(async (url: string, options: DoctorArguments) => {
    let faults = 0;
    for await (const finding of unlessStopped(examine(url, options, io), io.stop)) {
      if (finding.level === 'fault') faults += 1;
      await writeLine(io.stdout, options.json === true ? JSON.stringify(finding) : inWords(finding));
    }
    if (faults > 0) throw new CliFailure(faults === 1 ? 'one thing is wrong' : `${faults} things are wrong`);
  });
};

const MARKS = { ok: 'ok     ', warning: 'warning', fault: 'WRONG  ', unchecked: 'not checked' } as const;

const WITH_READING = 'Run doctor again when a resource can be read.';
const WITH_GATEWAY = 'Run doctor again when the gateway can be reached.';

const inWords = ({ level, says, todo }: Finding): string =>
  `${MARKS[level]}  ${escapeLine(says)}${todo === undefined ? '' : `\n         ${escapeLine(todo)}`}`;

/** The findings until a signal comes: what a check waits for may take long. @throws CliFailure */
async function* unlessStopped(findings: AsyncIterator<Finding>, stop: AbortSignal): AsyncGenerator<Finding> {
  const stopped = new Promise<never>((_, reject) => {
    const refuse = () => reject(new CliFailure('stopped before all was checked'));
    if (stop.aborted) refuse();
    else stop.addEventListener('abort', refuse, { once: true });
  });
  for (;;) {
    const next = await Promise.race([stopped, findings.next()]);
    if (next.done === true) return;
    yield next.value;
  }
}

/** Runs the checks one after another, and stops if the next one would fail for the same reason. */
async function* examine(place: string, options: DoctorArguments, io: CliIo): AsyncGenerator<Finding> {
  const url = URL.parse(place);
  const wrong = url === null ? notAnAddress(place) : unusable(url);
  if (url === null || wrong !== undefined) {
    if (wrong !== undefined) yield wrong;
    return;
  }
  if (url.pathname === '/' && url.search === '') url.pathname = DISCOVERY_PATH;
  yield* checkProxy(io.environment);
  const isSecure = url.protocol === 'https:';
  for (const check of [checkDns, checkConnection, ...(isSecure ? [checkTls] : [])]) {
    const finding = await check(url);
    yield finding;
    if (finding.level === 'fault') return;
  }
  const token = io.environment[options.tokenEnv] ?? '';
  const method = options.auth ?? (isAccessToken(token) ? 'oauth2' : 'shared_token');
  const credential = { method, token } as const;
  const { discovery, findings } = await checkDiscovery(
    url,
    token === '' ? undefined : `${method === 'oauth2' ? 'Bearer' : SHARED_TOKEN_SCHEME} ${token}`,
    options.timeServer,
  );
  yield* findings;
  if (discovery === undefined) return;
  yield await checkSchemas(discovery, !isSecure);
  const gateway = new URL(discovery.endpoints.websocket);
  if (!isSecure && isLoopback(gateway.hostname)) gateway.protocol = 'ws:';
  const upgrade = await checkUpgrade(gateway);
  yield upgrade;
  const methods = discovery.authentication.methods.map(({ type }) => type);
  if (token === '') {
    yield warning(
      'token',
      `There is no token in ${options.tokenEnv}, so reading was not tried; the server takes ${[...new Set(methods)].join(' and ')}.`,
      'Put one into that variable, or name another variable with --token-env.',
    );
    return;
  }
  if (!methods.includes(method)) {
    yield fault(
      'token',
      `The server takes ${methods.join(' and ')}, not ${method}.`,
      `Say with --auth what the token is: ${SHARED_TOKEN_SCHEME} tokens are shared_token, access tokens oauth2.`,
    );
    return;
  }
  const clientOptions = { allowInsecureLoopback: true, signal: io.stop };
  await using client = await connect(url, credential, clientOptions);
  const reads = await checkReads(client);
  yield* reads;
  const taken = reads.find(({ check }) => check === 'token')?.level;
  if (taken === 'fault') return;
  if (taken === 'ok' && upgrade.level !== 'fault') yield* await checkFollows(client);
  else
    yield unchecked(
      'follow',
      'Following was not tried.',
      upgrade.level === 'fault' ? WITH_GATEWAY : WITH_READING,
    );
}

/** `localhost:8951` is a URL of the scheme `localhost:`. */
function notAnAddress(place: string): Finding {
  return fault('address', `${place} is not a URL.`, 'Use one such as https://data.example.com.');
}

function unusable(url: URL): Finding | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return fault(
      'address',
      `${url.href} has no http or https in front.`,
      `Use one such as https://${url.href}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    return fault(
      'address',
      'The URL contains credentials.',
      'Leave them out: the token goes into an environment variable.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return fault(
      'address',
      `${url.origin} is not https; http is for servers on this computer.`,
      `Use https://${url.host}.`,
    );
  }
  return undefined;
}
