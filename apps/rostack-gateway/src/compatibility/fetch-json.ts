import { get as getPlain } from 'node:http';
import { get as getSecure, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import type { LoadOptions } from './load-implementation.ts';

const MAX_BYTES = 10_485_760;

/** Gets a JSON document; no redirect is followed, so that what is compared is what was named. */
export async function fetchJson(url: string, { authorities, timeoutMs }: LoadOptions): Promise<unknown> {
  const options: RequestOptions = {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    ...(authorities !== undefined && { ca: [...rootCertificates, authorities] }),
  };
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const answer = await new Promise<string>((resolve, reject) => {
    get(url, options, (response) => {
      const { statusCode } = response;
      if (statusCode !== 200) {
        response.destroy();
        reject(new Error(`${url} answers ${statusCode}`));
        return;
      }
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_BYTES) response.destroy(new Error(`${url} is larger than ${MAX_BYTES} bytes`));
      });
      text(response).then(resolve, reject);
    }).on('error', (error) => reject(new Error(`${url} cannot be reached: ${error.message}`)));
  });
  return JSON.parse(answer) as unknown;
}
