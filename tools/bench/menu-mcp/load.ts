import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** What to send, over how many connections, and for how long. */
export interface Load {
  readonly port: number;
  readonly body: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly elapsedMs: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** True when these bytes are one complete answer. It has to be cheap, because the bench measures the servers. */
function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const head = answer.toString('latin1', 0, headEnd).toLowerCase();
  if (!head.startsWith('http/1.1 200')) throw new Error(head.slice(0, head.indexOf('\r\n')));
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return answer.length >= headEnd + 4 + Number(length);
  return answer.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
}

/** Sends requests one after another; resolves with the number of answers. */
async function keepAsking(socket: Socket, request: Buffer, endMs: number): Promise<number> {
  let answers = 0;
  let received: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  socket.on('error', reject);
  socket.on('data', (chunk) => {
    received.push(chunk);
    try {
      if (!isWhole(received.length === 1 ? chunk : Buffer.concat(received))) return;
    } catch (error) {
      reject(error);
      return;
    }
    received = [];
    answers += 1;
    if (performance.now() < endMs) socket.write(request);
    else resolve(answers);
  });
  socket.write(request);
  return promise.finally(() => socket.destroy());
}

async function run({ port, body, connections, durationMs }: Load): Promise<LoadResult> {
  const request = Buffer.from(
    [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const started = performance.now();
  const counts = await Promise.all(
    sockets.map((socket) => keepAsking(socket, request, started + durationMs)),
  );
  return { answers: counts.reduce((sum, count) => sum + count, 0), elapsedMs: performance.now() - started };
}

parentPort?.on('message', (load: Load) => {
  void run(load).then((result) => parentPort?.postMessage(result));
});
