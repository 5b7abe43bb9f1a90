import { cafeteriaAnswerMutants } from './cafeteria/cafeteria-answers.ts';
import { cafeteriaWebMutants } from './cafeteria/cafeteria-web.ts';
import { menuClientMutants } from './cafeteria/menu-client.ts';
import { menuCommandMutants } from './cafeteria/menu-command.ts';
import { menuMcpMutants } from './cafeteria/menu-mcp.ts';
import { menuParserMutants } from './cafeteria/menu-parsers.ts';
import { serviceWorkerMutants } from './cafeteria/service-worker.ts';
import type { Mutant } from './mutant.ts';
import { otherMutants } from './others.ts';
import { attachedTableMutants } from './rostack/attached-tables.ts';
import { backupMutants } from './rostack/backup.ts';
import { clientMutants } from './rostack/client.ts';
import { clientConnectionMutants } from './rostack/client-connection.ts';
import { commandMutants } from './rostack/commands.ts';
import { coreMutants } from './rostack/core.ts';
import { gatewayMutants } from './rostack/gateway.ts';
import { gatewayWriteMutants } from './rostack/gateway-writes.ts';
import { reactMutants } from './rostack/react.ts';
import { serverAccessMutants } from './rostack/server-access.ts';
import { serverHttpMutants } from './rostack/server-http.ts';
import { serverWebSocketMutants } from './rostack/server-websocket.ts';
import { storeMutants } from './rostack/store.ts';
import { storeSharingMutants } from './rostack/store-sharing.ts';
import { workerMutants } from './rostack/workers.ts';

/** All mutants that tests have to notice. */
export const mutants: readonly Mutant[] = [
  ...coreMutants,
  ...serverWebSocketMutants,
  ...serverAccessMutants,
  ...serverHttpMutants,
  ...storeMutants,
  ...storeSharingMutants,
  ...backupMutants,
  ...attachedTableMutants,
  ...clientConnectionMutants,
  ...clientMutants,
  ...reactMutants,
  ...gatewayWriteMutants,
  ...gatewayMutants,
  ...workerMutants,
  ...menuClientMutants,
  ...menuParserMutants,
  ...menuCommandMutants,
  ...menuMcpMutants,
  ...cafeteriaWebMutants,
  ...cafeteriaAnswerMutants,
  ...serviceWorkerMutants,
  ...commandMutants,
  ...otherMutants,
];
