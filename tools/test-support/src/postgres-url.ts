/** The PostgreSQL server of the tests. Processes that tests start import it from here: they are outside of vitest. */
export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
