/** Runs the sample observatory until SIGINT or SIGTERM. */
import { PortInUseError } from 'rostack-gateway';
import { describeStart } from './describe-start.ts';
import { startObservatory } from './observatory.ts';
import { readSettings } from './settings.ts';

const DRAIN_TIMEOUT_MS = 2_000;

try {
  const { port, dataDir } = readSettings(process.env);
  const observatory = await startObservatory({ port, dataDir, log: (line) => console.error(line) });
  console.log(describeStart(observatory));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void observatory.close(DRAIN_TIMEOUT_MS).then(() => process.exit(0)));
  }
} catch (error) {
  const hint =
    error instanceof PortInUseError ? ' Stop the other program, or set ROSTACK_PORT to a free port.' : '';
  console.error(
    `The rostack gateway cannot start: ${error instanceof Error ? error.message : String(error)}${hint}`,
  );
  process.exit(1);
}
