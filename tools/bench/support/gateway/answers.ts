import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Asked {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** @default GET */
  readonly method?: string;
}

/** All of the answer to a request to a server on loopback. */
export async function answerTo(agent: Agent, asked: Asked, body?: string): Promise<Answer> {
  const sent = request({ agent, host: '127.0.0.1', ...asked }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { body: await text(response), status: response.statusCode ?? 0 };
}

/** The samples of metrics by name and labels, as they are written. */
export function samplesOf(metrics: string): ReadonlyMap<string, number> {
  const lines = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}
