import type { MessageOptions, SendHandle, Serializable } from 'node:child_process';
import { defineError } from 'rostack-core';
import { errorMessage } from '../../text/error-message.ts';

/** The type of a message: its body and its answer. A message without an answer is a note. */
export type Message<Body = object, Answer = void> = (body: Body) => Answer;

type Messages<Table> = { readonly [Kind in keyof Table]: Message<never, unknown> };
type BodyOf<Sent> = Sent extends Message<infer Body, unknown> ? Body : never;
type AnswerTo<Sent> = Sent extends Message<never, infer Answer> ? Answer : never;

/** The handlers of the messages in a table. */
export type Handlers<Table> = {
  readonly [Kind in keyof Table]: (
    body: BodyOf<Table[Kind]>,
    handle: unknown,
  ) => AnswerTo<Table[Kind]> | Promise<AnswerTo<Table[Kind]>>;
};

/** One end of the channel between a process and a child of it: the child, or `process` itself in the child. */
export interface Channel {
  send?(
    message: Serializable,
    handle?: SendHandle,
    options?: MessageOptions,
    onSent?: (error: Error | null) => void,
  ): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  off(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  off(event: 'disconnect', listener: () => void): unknown;
}

/** The other process has ended, has not answered in time, or has failed to answer. */
export class UnansweredError extends defineError('UnansweredError', 'process_silent', true) {}

interface Envelope {
  readonly kind: string;
  /** Present where an answer is awaited, and in the answer. */
  readonly id?: number;
}

/** An answer: its value, or why there is none. */
interface Answer extends Envelope {
  readonly value?: unknown;
  readonly fault?: string;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export interface AskOptions {
  /** How long to wait. @default until the other process ends */
  readonly timeoutMs?: number;
  /** Sent with the message, and kept open here. */
  readonly handle?: SendHandle;
}

const ANSWER = 'answer';

const hasEnded = (): UnansweredError => new UnansweredError('the other process has ended');

/** The messages between two processes: those of `Taken` come in and are handled, those of `Sent` go out. */
export class Rpc<Taken extends Messages<Taken>, Sent extends Messages<Sent>> implements Disposable {
  readonly #channel: Channel;
  readonly #handlers: Handlers<Taken>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isEnded = false;
  readonly #onMessage = (message: unknown, handle: unknown): void => {
    // Other modules of a process may use its channel too.
    if (typeof message !== 'object' || message === null || !('kind' in message)) return;
    const envelope = message as Envelope;
    if (envelope.kind === ANSWER) this.#settle(envelope);
    else if (Object.hasOwn(this.#handlers, envelope.kind)) void this.#take(envelope, handle);
  };
  /** The other process has ended: pending messages get no answer, nor do later ones. */
  readonly end = (): void => {
    this.#isEnded = true;
    for (const { reject } of this.#waiting.values()) reject(hasEnded());
  };

  constructor(channel: Channel, handlers: Handlers<Taken>) {
    this.#channel = channel;
    this.#handlers = handlers;
    channel.on('message', this.#onMessage);
    channel.on('disconnect', this.end);
  }

  /**
   * Sends a note.
   * @param onSent called when it is sent, or cannot be
   * @returns false if more should wait for `onSent`
   */
  tell<Kind extends keyof Sent & string>(
    kind: Kind,
    body: BodyOf<Sent[Kind]> & object,
    onSent: () => void = () => {},
  ): boolean {
    return this.#send({ ...body, kind }, undefined, onSent);
  }

  /**
   * Sends a message, and waits for the answer.
   * @throws UnansweredError `process_silent`
   */
  async ask<Kind extends keyof Sent & string>(
    kind: Kind,
    body: BodyOf<Sent[Kind]> & object,
    { timeoutMs, handle }: AskOptions = {},
  ): Promise<AnswerTo<Sent[Kind]>> {
    // Node forgets a handle that is sent to a process that has ended.
    if (this.#isEnded) throw hasEnded();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<AnswerTo<Sent[Kind]>>();
    this.#waiting.set(id, { resolve, reject });
    const late = () => reject(new UnansweredError(`${kind} is not answered within ${timeoutMs} ms`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    this.#send({ ...body, kind, id }, handle, (error) => {
      if (error !== null) reject(new UnansweredError(`${kind} cannot be sent`, { cause: error }));
    });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Stops handling messages; pending ones get no answer. */
  [Symbol.dispose](): void {
    this.#channel.off('message', this.#onMessage);
    this.#channel.off('disconnect', this.end);
    this.end();
  }

  #send(message: Answer, handle: SendHandle | undefined, onSent: (error: Error | null) => void): boolean {
    const channel = this.#channel;
    if (channel.send !== undefined) return channel.send(message, handle, { keepOpen: true }, onSent);
    onSent(new Error('there is no channel to another process'));
    return false;
  }

  #settle({ id = 0, value, fault }: Answer): void {
    const waiting = this.#waiting.get(id);
    if (fault === undefined) waiting?.resolve(value as never);
    else waiting?.reject(new UnansweredError(fault));
  }

  async #take(message: Envelope, handle: unknown): Promise<void> {
    const { kind, id } = message;
    const answer = (given: Omit<Answer, keyof Envelope>) =>
      void (id !== undefined && this.#send({ kind: ANSWER, id, ...given }, undefined, () => {}));
    try {
      answer({ value: await this.#handlers[kind as keyof Taken](message as never, handle) });
    } catch (error) {
      if (id === undefined) throw error;
      answer({ fault: errorMessage(error) });
    }
  }
}
