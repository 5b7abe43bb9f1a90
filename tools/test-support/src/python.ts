import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWhere } from './describe-where.ts';

/** Suites that run programs in Python, with its standard library only. */
export const { describe: describePython } = await describeWhere('Python 3 as python3', () =>
  promisify(execFile)('python3', ['--version']),
);

/** The first Python that has the package `websocket-client`: that of the system has Debian's, another may not see it. */
async function pythonWithWebSocket(): Promise<string> {
  for (const program of ['python3', '/usr/bin/python3']) {
    const found = await promisify(execFile)(program, ['-c', 'import websocket']).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  throw new Error('no Python imports websocket: run scripts/install-test-programs.sh');
}

/** The program for suites of `describePythonWebSocket`; empty where there is none. */
export const PYTHON_WITH_WEBSOCKET = await pythonWithWebSocket().catch(() => '');

/** Suites that run programs in Python which import `websocket`. */
export const { describe: describePythonWebSocket } = await describeWhere(
  'Python 3 with websocket-client (python3-websocket of Debian)',
  pythonWithWebSocket,
);
