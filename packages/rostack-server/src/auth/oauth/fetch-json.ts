const MAX_RESPONSE_BYTES = 1_048_576;

export interface FetchJsonOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/**
 * Gets a JSON document of at most 1 MiB; follows no redirect.
 * @throws Error on any other answer, with the URL and the reason
 */
export async function fetchJson(url: URL, { fetch, timeoutMs }: FetchJsonOptions): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered with status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES)
      throw new Error(`${url.href} answered with more than ${MAX_RESPONSE_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
