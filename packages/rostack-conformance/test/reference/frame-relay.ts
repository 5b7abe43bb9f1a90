import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { FrameHooks } from './mutant.ts';

/** Hands the upgrades of a server on to a gateway at another URL, and changes the messages on the way. */
export function relayFrames(server: Server, gatewayUrl: string, hooks: () => FrameHooks): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const protocols = request.headers['sec-websocket-protocol']?.split(/,\s*/) ?? [];
      const { fromServer = alone, fromClient = alone } = hooks();
      relay(client, new WebSocket(`${gatewayUrl}${request.url ?? ''}`, protocols), fromServer, fromClient);
    });
  });
}

type Change = (text: string) => readonly string[];

const alone: Change = (text) => [text];

function relay(client: WebSocket, gateway: WebSocket, fromServer: Change, fromClient: Change): void {
  const waiting: string[] = [];
  client.on('message', (data: Buffer, isBinary) => {
    for (const text of isBinary ? [] : fromClient(data.toString())) {
      if (gateway.readyState === WebSocket.OPEN) gateway.send(text);
      else waiting.push(text);
    }
  });
  gateway.on('open', () => {
    for (const text of waiting.splice(0)) gateway.send(text);
  });
  gateway.on('message', (data: Buffer) => {
    for (const text of fromServer(data.toString())) client.send(text);
  });
  client.on('close', (code) => close(gateway, code));
  gateway.on('close', (code) => close(client, code));
  gateway.on('error', () => client.terminate());
  client.on('error', () => gateway.terminate());
}

/** 1005 and 1006 say that there was no code: they cannot be sent. */
function close(socket: WebSocket, code: number): void {
  if (code === 1005 || code === 1006) socket.terminate();
  else socket.close(code);
}
