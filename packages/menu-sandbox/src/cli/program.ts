import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SandboxError } from '../server/errors.ts';
import { parseFaults, type Scenario } from '../server/options.ts';
import { startSandbox } from '../server/start-sandbox.ts';
import { FAULTS } from '../traffic/fault-rule.ts';

const HELP = `menu-sandbox: a loopback stand-in for two catering operators

  --port <n>            loopback port (default 4010, 0 takes a free one)
  --seed <text>         menus, photos and faults follow from it (default menu-sandbox)
  --scenario <name>     sample (default), or recorded: the shapes of the live operators' recorded answers
  --fault <name[:rate]> a fault for every request, e.g. slow:0.2; may be given several times
  --faults <file>       JSON array of fault rules
  --list-faults         names every fault and ends
  --help                this text
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      seed: { type: 'string' },
      scenario: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
      faults: { type: 'string' },
      'list-faults': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (values['list-faults']) {
    for (const [name, meaning] of Object.entries(FAULTS)) console.log(`${name.padEnd(20)}${meaning}`);
    return;
  }
  const fromFile: unknown =
    values.faults === undefined ? [] : JSON.parse(await readFile(values.faults, 'utf8'));
  const given = values.fault.map((text) => {
    const [fault, rate = '1'] = text.split(':');
    return { fault, rate: Number(rate) };
  });
  const { scenario } = values;
  const sandbox = await startSandbox({
    port: Number(values.port),
    // An unknown name is refused with the others.
    ...(scenario === undefined ? {} : { scenario: scenario as Scenario }),
    faults: [...parseFaults(fromFile), ...parseFaults(given)],
    ...(values.seed === undefined ? {} : { seed: values.seed }),
  });
  console.log(`welstory   ${sandbox.welstoryUrl}`);
  console.log(`shinsegae  ${sandbox.planeatUrl}`);
  console.log(`${sandbox.restaurants.length} sample restaurants; stop with Ctrl-C`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
}

try {
  await main();
} catch (error) {
  const expected =
    error instanceof SandboxError ||
    error instanceof SyntaxError ||
    (error instanceof Error && 'code' in error);
  console.error(expected ? error.message : error);
  process.exitCode = 1;
}
