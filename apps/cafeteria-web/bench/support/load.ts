import { connect, type Socket } from 'node:net';

export interface Load {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly responses: number;
}

/** Reads whole responses off a socket: head, then as many bytes as `Content-Length` says. */
function onResponses(socket: Socket, done: () => void): void {
  let head = '';
  let missingBytes = 0;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (missingBytes > 0) {
        const taken = Math.min(missingBytes, rest.length);
        missingBytes -= taken;
        rest = rest.subarray(taken);
        if (missingBytes === 0) done();
        continue;
      }
      const before = head.length;
      head += rest.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(`answered ${head.slice(0, 60)}`);
      missingBytes = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      rest = rest.subarray(end + 4 - before);
      head = '';
      if (missingBytes === 0) done();
    }
  });
}

/** Keeps `connections` connections busy for a while; `path` names each next request. */
export async function load(
  port: number,
  path: () => string,
  headers: string,
  durationMs: number,
  connections = 32,
): Promise<Load> {
  const latencies: number[] = [];
  const startedMs = performance.now();
  const endMs = startedMs + durationMs;
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1');
          let sentMs = 0;
          const send = (): void => {
            sentMs = performance.now();
            socket.write(`GET ${path()} HTTP/1.1\r\nHost: localhost:${port}\r\n${headers}\r\n`);
          };
          socket.setNoDelay(true);
          socket
            .on('connect', send)
            .on('error', reject)
            .on('close', () => resolve());
          onResponses(socket, () => {
            const nowMs = performance.now();
            latencies.push(nowMs - sentMs);
            if (nowMs < endMs) send();
            else socket.end();
          });
        }),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / seconds,
    responses: latencies.length,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}
