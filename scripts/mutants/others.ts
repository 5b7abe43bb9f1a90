import type { Mutant } from './mutant.ts';

export const otherMutants: readonly Mutant[] = [
  {
    name: 'what a foreign page asks the command for is answered',
    file: 'packages/rostack-explorer/src/cli/serve-explorer.ts',
    find: "if (site !== 'same-origin') return",
    replace: "if (site === 'none') return",
    tests: ['packages/rostack-explorer/test/command.test.ts'],
    testNamePattern: 'serves its own page alone|passes advertised',
  },
  {
    name: 'a foreign page may open a WebSocket to the gateway through the command',
    file: 'packages/rostack-explorer/src/cli/serve-explorer.ts',
    find: '!hosts.has(host) || origin !== `http://${host}` || ',
    replace: '!hosts.has(host) || ',
    tests: ['packages/rostack-explorer/test/command.test.ts'],
    testNamePattern: 'joins WebSockets',
  },
  {
    name: 'the relay follows a redirect with the token',
    file: 'packages/rostack-explorer/src/cli/relay.ts',
    find: "        redirect: 'manual',\n",
    replace: '',
    tests: ['packages/rostack-explorer/test/command.test.ts'],
    testNamePattern: 'passes advertised|redirect|refuses',
  },
  {
    name: 'the relay passes on what would act as a page of its origin',
    file: 'packages/rostack-explorer/src/cli/relay.ts',
    find: "JSON_TYPE.test(type) ? type : 'application/octet-stream'",
    replace: 'type',
    tests: ['packages/rostack-explorer/test/command.test.ts'],
    testNamePattern: 'passes advertised|JSON alone',
  },
  {
    name: 'a WebSocket of a page stays connected to the gateway when the page is gone',
    file: 'packages/rostack-explorer/src/cli/relay.ts',
    find: 'pipeline(socket, upstream, () => upstream.destroy());',
    replace: 'socket.pipe(upstream, { end: false });',
    tests: ['packages/rostack-explorer/test/command.test.ts'],
    testNamePattern: 'joins WebSockets|Ctrl-C ends it while',
  },
  {
    name: 'a foreign host name may call the command of rostack-mcp',
    file: 'packages/rostack-mcp/src/program.ts',
    find: "hosts.has(request.headers.get('host') ?? '') &&",
    replace: 'true &&',
    tests: ['packages/rostack-mcp/test/http.test.ts'],
    testNamePattern: 'is refused',
  },
];
