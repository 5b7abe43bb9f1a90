import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldLine extends AsyncDisposable {
  readonly url: string;
  /** `pass`: pages go through; `hold`: they wait until it passes again; `cut`: connections are reset. */
  mode: 'pass' | 'hold' | 'cut';
}

/** A line to a site on which the pages that a browser opens can be held up or cut off; its worker is impatient. */
export async function holdLine(siteUrl: string, workerWaitMs: number): Promise<HeldLine> {
  const waiting = new Set<() => void>();
  let mode: HeldLine['mode'] = 'pass';
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isPage = request.headers['sec-fetch-mode'] === 'navigate';
    if (mode === 'cut') {
      request.socket.destroy();
      return;
    }
    if (isPage && mode === 'hold') await new Promise<void>((resolve) => waiting.add(resolve));
    const { cookie = '', accept = '*/*', 'accept-language': language = 'ko' } = request.headers;
    const answer = await fetch(siteUrl + (request.url ?? ''), {
      headers: { cookie, accept, 'accept-language': language },
      redirect: 'manual',
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const isWorker = request.url === '/service-worker.js';
    const sent = isWorker ? body.toString().replace(/Number\('\d+'\)/, String(workerWaitMs)) : body;
    const fields = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(content-(length|encoding)|transfer-encoding)$/.test(name)),
    );
    // The browser's own cache would answer in the line's stead.
    if (fields['cache-control']?.startsWith('private') === true) fields['cache-control'] = 'no-cache';
    response.writeHead(answer.status, fields).end(sent);
  };
  const server = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
      if (next === 'hold') return;
      for (const resume of waiting) resume();
      waiting.clear();
    },
    [Symbol.asyncDispose]: async () => {
      for (const resume of waiting) resume();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
