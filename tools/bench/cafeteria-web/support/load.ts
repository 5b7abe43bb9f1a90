import { connect, type Socket } from 'node:net';

const READ_BYTES = 256 * 1024;

export interface Load {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly responses: number;
}

/** Finds whole responses in what comes off a socket: head, then as many bytes as `Content-Length` says. */
function responseReader(done: () => void): (chunk: Buffer) => void {
  let head = '';
  let missingBytes = 0;
  return (chunk) => {
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
  };
}

/** A connection that reads into one buffer again and again: the generator shares the machine with the server. */
function open(port: number, onChunk: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const callback = (bytes: number): boolean => {
    onChunk(buffer.subarray(0, bytes));
    return true;
  };
  return connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
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
          let sentMs = 0;
          const onResponse = (): void => {
            const nowMs = performance.now();
            latencies.push(nowMs - sentMs);
            if (nowMs < endMs) send();
            else socket.end();
          };
          const socket = open(port, responseReader(onResponse));
          function send(): void {
            sentMs = performance.now();
            socket.write(`GET ${path()} HTTP/1.1\r\nHost: localhost:${port}\r\n${headers}\r\n`);
          }
          socket
            .on('connect', send)
            .on('error', reject)
            .on('close', () => resolve());
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
