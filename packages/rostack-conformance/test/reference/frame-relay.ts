import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { FrameHooks, Mutant } from './mutant.ts';

/** Hands the upgrades of a server on to a gateway at another URL, and changes the messages on the way. */
export function relayFrames(server: Server, gatewayUrl: string, { frames, subprotocol }: Mutant): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => subprotocol ?? [...offered][0] ?? false,
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const protocols = request.headers['sec-websocket-protocol']?.split(/,\s*/) ?? [];
      relay(client, new WebSocket(`${gatewayUrl}${request.url ?? ''}`, protocols), frames?.() ?? {});
    });
  });
}

const alone = (text: string): readonly string[] => [text];
const nothing = (): readonly string[] => [];
const asItIs = (code: number): number => code;

function relay(client: WebSocket, gateway: WebSocket, hooks: FrameHooks): void {
  const {
    fromServer = alone,
    fromClient = alone,
    reply = nothing,
    closing = asItIs,
    takesBinary = true,
  } = hooks;
  const waiting: (string | Buffer)[] = [];
  const handOn = (frame: string | Buffer) => {
    if (gateway.readyState === WebSocket.OPEN) gateway.send(frame);
    else waiting.push(frame);
  };
  client.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      if (takesBinary) handOn(data);
      return;
    }
    for (const text of reply(data.toString())) client.send(text);
    for (const text of fromClient(data.toString())) handOn(text);
  });
  gateway.on('open', () => {
    for (const frame of waiting.splice(0)) gateway.send(frame);
  });
  gateway.on('message', (data: Buffer) => {
    for (const text of fromServer(data.toString())) client.send(text);
  });
  client.on('close', (code) => close(gateway, code));
  gateway.on('close', (code) => {
    const instead = closing(code);
    if (instead !== undefined) close(client, instead);
  });
  gateway.on('error', () => client.terminate());
  client.on('error', () => gateway.terminate());
}

/** 1005 and 1006 say that there was no code: they cannot be sent. */
function close(socket: WebSocket, code: number): void {
  if (code === 1005 || code === 1006) socket.terminate();
  else socket.close(code);
}
