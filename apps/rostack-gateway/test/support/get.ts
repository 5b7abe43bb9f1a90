import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

export interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of the only authority that is trusted. */
  readonly ca?: string;
}

/** One request on a connection of its own. */
export async function get(url: string, { headers = {}, ca }: GetOptions = {}): Promise<Answer> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent: false, ...(ca !== undefined && { ca }) }, resolve)
      .on('error', reject)
      .end();
  });
  const content = await text(response);
  const isJson = /json/.test(response.headers['content-type'] ?? '');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: isJson && content !== '' ? (JSON.parse(content) as unknown) : content,
  };
}

/** Header field of a shared token. */
export const bearing = (token: string) => ({ Authorization: `Rostack-Token ${token}` });
