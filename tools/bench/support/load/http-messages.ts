const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
/** No head is longer. */
const HEAD_BYTES = 4_096;

/** How long the body after this head is; undefined for a body in chunks. */
function bodyLength(head: string): number | undefined {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /\r\ntransfer-encoding: chunked/i.test(head) ? undefined : 0;
}

/** Finds whole answers in what comes off a connection, and calls back with the head of each and the bytes of its body. */
export function answerReader(onAnswer: (head: string, bodyBytes: number) => void): (chunk: Buffer) => void {
  let head = '';
  let isInBody = false;
  let length: number | undefined;
  let received = 0;
  let lastBytes = '';
  return (chunk) => {
    let start = 0;
    if (!isInBody) {
      const before = head.length;
      head += chunk.toString('latin1', 0, HEAD_BYTES);
      const end = head.indexOf(HEAD_END);
      if (end === -1) return;
      start = end + HEAD_END.length - before;
      head = head.slice(0, end);
      length = bodyLength(head);
      isInBody = true;
      received = 0;
      lastBytes = '';
    }
    received += chunk.byteLength - start;
    if (length === undefined) {
      const from = Math.max(start, chunk.byteLength - LAST_CHUNK.length);
      lastBytes = (lastBytes + chunk.toString('latin1', from)).slice(-LAST_CHUNK.length);
      if (lastBytes !== LAST_CHUNK) return;
    } else if (received < length) return;
    const ofAnswer = head;
    isInBody = false;
    head = '';
    onAnswer(ofAnswer, received);
  };
}

/** Where each of the requests ends that follow one another in these bytes. */
export function requestEnds(bytes: Buffer): Float64Array {
  const found: number[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const headEnd = bytes.indexOf(HEAD_END, at) + HEAD_END.length;
    at = headEnd + (bodyLength(bytes.toString('latin1', at, headEnd)) ?? 0);
    found.push(at);
  }
  return Float64Array.from(found);
}
