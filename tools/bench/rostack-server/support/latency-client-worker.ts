/** Subscribes with `ws` and notes, by the event's `value`, when each event arrived. */
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';

const plan = workerData as SinkPlan;
const arrivedAtMs: number[] = [];
let received = 0;
let awaited = Number.POSITIVE_INFINITY;

const socket = new WebSocket(`ws://127.0.0.1:${plan.port}${plan.path}`, [plan.subprotocol ?? 'rostack.v1']);
const [authenticate = '', subscribe = ''] = plan.greetings;

socket.on('open', () => socket.send(authenticate));
socket.on('message', (data: Buffer) => {
  const message = JSON.parse(data.toString('utf8')) as { type: string; data?: { value: number } };
  if (message.type === 'authenticated') socket.send(subscribe);
  else if (message.type === 'subscribed') answer('ready');
  else if (message.data !== undefined) note(message.data.value);
});

function answer(content: unknown): void {
  parentPort?.postMessage(content);
}

function note(value: number): void {
  arrivedAtMs[value] ??= performance.timeOrigin + performance.now();
  received += 1;
  answerWhenDone();
}

function answerWhenDone(): void {
  if (received >= awaited) answer(arrivedAtMs);
}

parentPort?.on('message', (count: number) => {
  awaited = count;
  answerWhenDone();
});
