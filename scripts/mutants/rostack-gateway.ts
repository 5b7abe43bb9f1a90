import type { Mutant } from './mutant.ts';

const SOURCE = 'apps/rostack-gateway/src';
const TEST = 'apps/rostack-gateway/test';

export const rostackGatewayMutants: readonly Mutant[] = [
  {
    name: 'a log that went back leaves the gateway unready for ever',
    file: `${SOURCE}/observe/readiness.ts`,
    find: '(position >= known.head || (head ?? known.head) < known.head)',
    replace: 'position >= known.head',
    tests: [`${TEST}/health.test.ts`],
    testNamePattern: 'health',
  },
  {
    name: 'the quarantine is counted anew for nearly every question',
    file: `${SOURCE}/observe/quarantine-watch.ts`,
    find: 'const FRESH_MS = 1_000;',
    replace: 'const FRESH_MS = 1;',
    tests: [`${TEST}/quarantine-watch.test.ts`],
  },
  {
    name: 'a byte order mark in the middle of a CSV file is eaten',
    file: `${SOURCE}/import/csv-rows.ts`,
    find: 'const isAtStart = this.#offset === 0;',
    replace: 'const isAtStart = true;',
    tests: [`${SOURCE}/import/csv-reader.test.ts`],
  },
  {
    name: 'a row of CSV that is too long to keep ends at its next newline',
    file: `${SOURCE}/import/csv-rows.ts`,
    find: 'if (byte !== NEWLINE || wasQuoted) continue;',
    replace: 'if (byte !== NEWLINE || (wasQuoted && this.#rowBytes <= this.#maxRowBytes)) continue;',
    tests: [`${SOURCE}/import/csv-reader.test.ts`],
  },
  {
    name: 'a file that is cut off within a quoted cell deletes what it does not show',
    file: `${SOURCE}/import/import-records.ts`,
    find: 'reader.isCutOff || before?.isCutOff === true',
    replace: 'before?.isCutOff === true',
    tests: [`${TEST}/import.test.ts`],
    testNamePattern: 'cut off',
  },
  {
    name: 'a byte order mark at the start of a later line is eaten',
    file: `${SOURCE}/changes/line-splitter.ts`,
    find: 'this.#lines === 1 && text.startsWith',
    replace: 'text.startsWith',
    tests: [`${SOURCE}/changes/line-splitter.test.ts`],
  },
  {
    name: 'a hop that a client made up before its own address is believed',
    file: `${SOURCE}/listener/trusted-proxies.ts`,
    find: "const comma = hops.lastIndexOf(',');",
    replace: "const comma = hops.indexOf(',');",
    tests: [`${SOURCE}/listener/trusted-proxies.test.ts`],
  },
  {
    name: 'the admin listener believes X-Forwarded-For of anybody',
    file: `${SOURCE}/admin/admin-authentication.ts`,
    find: 'clientAddressBehind(0)',
    replace: 'clientAddressBehind(1)',
    tests: [`${TEST}/admin-listener.test.ts`],
    testNamePattern: 'lets an address wait',
  },
  {
    name: 'readiness and life need the admin token',
    file: `${SOURCE}/admin/admin-app.ts`,
    find: "  app.get('/healthz', async",
    replace: "  app.use(requireToken(options.token, options.failures));\n  app.get('/healthz', async",
    tests: [`${TEST}/health.test.ts`],
    testNamePattern: 'asked without a token',
  },
  {
    name: 'metrics are given to anybody',
    file: `${SOURCE}/admin/admin-app.ts`,
    find: `  app.use(requireToken(options.token, options.failures));
  if (metrics !== undefined) {`,
    replace: `  app.use('/resources/*', requireToken(options.token, options.failures));
  if (metrics !== undefined) {`,
    tests: [`${TEST}/admin-listener.test.ts`],
    testNamePattern: '/metrics without its token',
  },
  {
    name: 'places that a dead worker held are never free again',
    file: `${SOURCE}/workers/place-counters.ts`,
    find: 'for (const [name, count] of this.#held.get(holder) ?? []) add(this.#counts, name, -count);',
    replace: '',
    tests: [`${SOURCE}/workers/counters.test.ts`],
  },
  {
    name: 'places that were given back after their worker had died are counted twice',
    file: `${SOURCE}/workers/place-counters.ts`,
    find: `    const held = this.#held.get(holder);
    if (held === undefined) return;
    for (const claim of claims) {
      add(this.#counts, nameOf(kind, claim), -1);`,
    replace: `    const held = this.#held.get(holder) ?? new Map();
    for (const claim of claims) {
      add(this.#counts, nameOf(kind, claim), -1);`,
    tests: [`${SOURCE}/workers/counters.test.ts`],
  },
  {
    name: 'points of a window that is over are given back to the next one',
    file: `${SOURCE}/workers/rate-counters.ts`,
    find: 'if (window?.number === number) window.used -= points;',
    replace: 'if (window !== undefined) window.used -= points;',
    tests: [`${SOURCE}/workers/counters.test.ts`],
  },
  {
    name: 'an import that was stopped deletes what it has not seen',
    file: `${SOURCE}/import/import-records.ts`,
    find: "if (!isComplete) return 'stopped';",
    replace: '',
    tests: [`${TEST}/import-resume.test.ts`],
  },
  {
    name: 'an import of nothing deletes everything',
    file: `${SOURCE}/import/import-records.ts`,
    find: "return created + updated + unchanged === 0 ? 'no_records' : undefined;",
    replace: "return created + updated + unchanged < 0 ? 'no_records' : undefined;",
    tests: [`${TEST}/import.test.ts`],
  },
  {
    name: 'an import deletes what was written since it began',
    file: `${SOURCE}/import/delete-missing.ts`,
    find: "found === 'gone' || found.position > startPosition",
    replace: "found === 'gone' || found.position < 0 * startPosition",
    tests: [`${TEST}/import.test.ts`],
  },
  {
    name: 'an id that comes twice in a batch is written in any order',
    file: `${SOURCE}/import/import-records.ts`,
    find: 'if (id !== undefined && this.#batchIds.has(id)) await this.#flush(reader, progress);',
    replace: '',
    tests: [`${TEST}/import.test.ts`, `${TEST}/import-resume.test.ts`],
  },
  {
    name: 'a draft that could not take the place of a file stays',
    file: `${SOURCE}/whole-file.ts`,
    find: 'await rm(draft, { force: true });',
    replace: 'void rm;',
    tests: [`${SOURCE}/whole-file.test.ts`],
  },
  {
    name: 'news of another history are joined to what is known of the log',
    file: `${SOURCE}/machine/told-log.ts`,
    find: ': last.position === first.position - 1 && last.tag === tagBefore);',
    replace: ': last.position === first.position - 1);',
    tests: [`${SOURCE}/machine/told-log.test.ts`],
  },
  {
    name: 'news of a lead that has fallen silent are believed for ever',
    file: `${SOURCE}/machine/told-log.ts`,
    find: 'return performance.now() - this.#toldAtMs < BELIEVED_MS;',
    replace: 'return this.#toldAtMs < BELIEVED_MS + Number.POSITIVE_INFINITY;',
    tests: [`${SOURCE}/machine/told-log.test.ts`],
  },
  {
    name: 'a secret is logged where it is written as part of a URL',
    file: `${SOURCE}/observe/scrub.ts`,
    find: '[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]',
    replace: '[secret, JSON.stringify(secret).slice(1, -1)]',
    tests: [`${SOURCE}/observe/scrub.test.ts`],
  },
  {
    name: 'the password of the database is no secret of the log when it is encoded in its URL',
    file: `${SOURCE}/observe/logger.ts`,
    find: 'return [password, decoded(password), searchParams',
    replace: 'return [password, searchParams',
    tests: [`${SOURCE}/observe/logger.test.ts`],
  },
  {
    name: 'a hop over plain HTTP before the last proxy is not seen',
    file: `${SOURCE}/listener/trusted-proxies.ts`,
    find: "split(',').at(-1)",
    replace: "split(',').at(0)",
    tests: [`${SOURCE}/listener/trusted-proxies.test.ts`],
  },
  {
    name: 'the place of a connection of an address is not given back when it ends',
    file: `${SOURCE}/listener/connection-guard.ts`,
    find: 'if (key !== undefined) this.#release(key);',
    replace: '',
    tests: [`${TEST}/connections.test.ts`],
  },
  {
    name: 'the time of a token use is written for every request',
    file: `${SOURCE}/token/authenticators.ts`,
    find: 'notedAtMs.set(tokenId, nowMs);',
    replace: '',
    tests: [`${SOURCE}/token/authenticators.test.ts`],
  },
  {
    name: 'If-Match is left out of account beside If-None-Match',
    file: 'apps/rostack-gateway/src/admin/record-routes.ts',
    find: "if (ifNoneMatch !== '*' || ifMatch !== undefined) {",
    replace: "if (ifNoneMatch !== '*') {",
    tests: ['apps/rostack-gateway/test/admin-records.test.ts'],
    testNamePattern: 'exclude each other',
  },
  {
    name: 'a hook of an application that rejects ends the process',
    file: `${SOURCE}/observe/hooks.ts`,
    find: 'return last;',
    replace: 'return void last;',
    tests: [`${TEST}/callbacks.test.ts`],
  },
  {
    name: 'a log of an application that rejects ends the process',
    file: `${SOURCE}/gateway/create-gateway.ts`,
    find: 'const log = guardObserver(dependencies.log ?? ((line: string) => logger?.warn(line)), warnOfLog);',
    replace:
      'const log = dependencies.log ?? ((line: string) => logger?.warn(line)); void [guardObserver, warnOfLog];',
    tests: [`${TEST}/callbacks.test.ts`],
  },
  {
    name: 'a record of an integer id is written at a path that is another text of it',
    file: `${SOURCE}/admin/record-routes.ts`,
    find: 'if (recordIdText(idInRecord) !== id) {',
    replace: 'if (recordIdText(idInRecord) !== id && Number(idInRecord) !== Number(id)) {',
    tests: [`${TEST}/integer-ids.test.ts`],
  },
  {
    name: 'records with integers as ids are never deleted as missing',
    file: `${SOURCE}/import/delete-missing.ts`,
    find: 'const id = recordIdText(resolvePointer(record, idPath));',
    replace:
      "const held = resolvePointer(record, idPath); const id = typeof held === 'string' ? held : undefined;",
    tests: [`${TEST}/integer-ids.test.ts`],
  },
  {
    name: 'records with integers as ids that an import has seen are deleted as missing',
    file: `${SOURCE}/import/import-records.ts`,
    find: 'return recordIdText(resolvePointer(content.record, this.#options.resource.idPath));',
    replace:
      "const id = resolvePointer(content.record, this.#options.resource.idPath); return typeof id === 'string' ? id : undefined;",
    tests: [`${TEST}/integer-ids.test.ts`],
  },
  {
    name: 'gateways that shall share their rates count alone',
    file: `${SOURCE}/gateway/serve.ts`,
    find: 'const counters = isShared ? store.rates : machine?.counters;',
    replace: 'const counters = machine?.counters;',
    tests: [`${TEST}/shared-rates.timed.test.ts`],
  },
  {
    name: 'a gateway that counts its rates alone says so without end',
    file: `${SOURCE}/gateway/serve.ts`,
    find: 'operations.countsAlone = false;',
    replace: '',
    tests: [`${TEST}/shared-rates.timed.test.ts`],
  },
];
