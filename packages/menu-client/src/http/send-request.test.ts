import { expect, test } from 'vitest';
import { type HttpRequest, type SendOptions, sendRequest } from './send-request.ts';

const FIRST = 'http://operator.example/api/first';

/** Sends to an operator that answers each address as told; tells which addresses were asked, and with which session. */
async function send(
  answers: Readonly<Record<string, () => Response>>,
  request: Partial<HttpRequest> = {},
  options: Partial<SendOptions> = {},
) {
  const asked: string[] = [];
  const fetch: SendOptions['fetch'] = async (input) => {
    const url = new Request(input).url;
    asked.push(url);
    const answer = answers[url];
    if (answer === undefined) throw new Error(`nothing is at ${url}`);
    return answer();
  };
  const whole = { vendor: 'welstory', fetch, timeoutMs: 20_000, maxBytes: 100, ...options } as const;
  const answer = await sendRequest(FIRST, { headers: { cookie: 'session' }, ...request }, whole);
  return { asked, status: answer.status, body: answer.body };
}

const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });

/** A body whose length is not told before it comes. */
function inChunks(...sizes: readonly number[]): Response {
  const left = [...sizes];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const size = left.shift();
      if (size === undefined) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(65));
    },
  });
  return new Response(body);
}

test.each([
  'http://elsewhere.example/api/next',
  'https://operator.example/api/next',
  'http://operator.example:8080/api/next',
  'http://operator.example/login',
  'http://operator.example/api/login',
])('a redirect to %s is the answer: nobody there sees the session', async (location) => {
  const { asked, status } = await send({ [FIRST]: redirect(location) });
  expect([asked, status]).toEqual([[FIRST], 302]);
});

test('a redirect on the same origin is followed', async () => {
  const next = 'http://operator.example/api/next';
  const { asked, body } = await send({ [FIRST]: redirect('next'), [next]: () => new Response('there') });
  expect([asked, body]).toEqual([[FIRST, next], 'there']);
});

test('what is sent is not sent again where a redirect leads', async () => {
  const { asked, status } = await send(
    { [FIRST]: redirect('next') },
    { method: 'POST', body: new URLSearchParams({ password: 'secret' }) },
  );
  expect([asked, status]).toEqual([[FIRST], 302]);
});

test('a body may be as large as allowed, and no larger, whether its length is told or not', async () => {
  const told = (length: number) => () =>
    new Response('A'.repeat(length), { headers: { 'content-length': String(length) } });
  for (const answer of [told(100), () => inChunks(60, 40)])
    expect((await send({ [FIRST]: answer })).body).toHaveLength(100);
  for (const answer of [told(101), () => inChunks(60, 41), () => inChunks(60, 40, 1)])
    await expect(send({ [FIRST]: answer })).rejects.toMatchObject({ code: 'operator_answer_too_large' });
});

test('a request may allow its own answer more', async () => {
  const answer = () => inChunks(100, 100);
  expect((await send({ [FIRST]: answer }, { maxAnswerBytes: 200 })).body).toHaveLength(200);
  await expect(send({ [FIRST]: answer }, { maxAnswerBytes: 199 })).rejects.toMatchObject({
    code: 'operator_answer_too_large',
  });
});

test('a caller that has given up gets no answer, and its request is ended', async () => {
  const giving = new AbortController();
  const signals: AbortSignal[] = [];
  const fetch: SendOptions['fetch'] = (_input, init) => {
    if (init?.signal) signals.push(init.signal);
    giving.abort();
    return new Promise(() => {});
  };
  await expect(send({}, {}, { fetch, signal: giving.signal })).rejects.toMatchObject({ code: 'aborted' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
