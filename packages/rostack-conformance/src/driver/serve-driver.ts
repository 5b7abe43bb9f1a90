import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from 'rostack-core';
import { parseStrictJson } from 'rostack-core';

/** A request of the kit to a driver, as received: `put`, `delete` and `burst` name a `resource`. */
export type DriverRequest = Readonly<Record<string, unknown>> & { readonly op: string };

/** What a driver does for each operation that it supports; the results go into the answers. */
export type DriverHandlers = Readonly<
  Record<string, (request: DriverRequest) => Promise<JsonObject | undefined>>
>;

export interface ServeDriverOptions {
  readonly handlers: DriverHandlers;
  readonly samples?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the lines of a driver, one request after the other, until the input ends. */
export async function serveDriver({ handlers, samples, input, output }: ServeDriverOptions): Promise<void> {
  const write = (line: object) => output.write(`${JSON.stringify(line)}\n`);
  write({ ready: true, operations: Object.keys(handlers), ...(samples !== undefined && { samples }) });
  for await (const line of createInterface({ input })) {
    const request = parseStrictJson(line) as DriverRequest;
    try {
      const handle = handlers[request.op];
      if (handle === undefined) throw new Error(`there is no operation ${request.op}`);
      write({ ...(await handle(request)), request: request.request, ok: true });
    } catch (error) {
      write({
        request: request.request,
        ok: false,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
