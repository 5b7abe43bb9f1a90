import { isMenuError } from 'menu-client';
import { ListenError } from '../running/listener.ts';
import { ConfigError, readConfig } from './config.ts';
import { startCafeteria } from './start.ts';
import { folderNotices, settingNotices } from './start-notices.ts';

// The service keeps running when its log cannot be written: its reader is gone, or the disk is full.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

try {
  const config = readConfig(process.env);
  const cafeteria = await startCafeteria(config);
  for (const notice of [...settingNotices(process.env, config), ...(await folderNotices(config.dataDir))])
    console.error(notice);
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
  const isTold = error instanceof ConfigError || error instanceof ListenError;
  const noStore = isMenuError(error) && error.code === 'store_unavailable';
  if (!isTold && !noStore) throw error;
  const setting = (process.env.STORE_URL ?? '').trim() === '' ? 'DATA_DIR' : 'STORE_URL';
  console.error(
    noStore ? `${error.message} Is ${setting} right, and can its folder be written?` : error.message,
  );
  process.exitCode = 1;
}
