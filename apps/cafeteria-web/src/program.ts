import { ConfigError, readConfig } from './config.ts';
import { ListenError } from './running/listener.ts';
import { startCafeteria } from './start.ts';

// The service keeps running when its log cannot be written: its reader is gone, or the disk is full.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

try {
  const cafeteria = await startCafeteria(readConfig(process.env));
  console.log(`Cafeteria menus: ${cafeteria.url}`);
  console.log(
    `Try: curl '${cafeteria.url}/proxy/search?q=%EA%B0%95%EB%82%A8'   (restaurants that match 강남)`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void cafeteria.close().then(() => process.exit(0));
    });
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof ListenError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
