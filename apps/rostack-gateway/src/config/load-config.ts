import { dirname, resolve } from 'node:path';
import { anInteger, anObject, aString, checkOptions, expecting, optional, optionsOf } from 'rostack-core';
import { isDeeperThan, MAX_LEVELS, TOO_DEEP } from '../text/nesting.ts';
import { readTextFile, reasonOfFile } from '../text/text-file.ts';
import { applyEnvironment, type Override } from './environment-overrides.ts';
import { ConfigError, type ConfigMistake } from './fault/config-error.ts';
import { definitionMistakes } from './fault/definition-mistakes.ts';
import { describeIssue } from './fault/describe-issue.ts';
import { type ConfigInput, configModel } from './model/config-model.ts';
import {
  alternatives,
  configSchema,
  type PathSegment,
  type SchemaNode,
  stepInto,
} from './model/config-schema.ts';
import type { GatewayConfig } from './model/gateway-config.ts';
import { ReferenceReader } from './section/reference-reader.ts';
import { readYaml } from './yaml-file.ts';

/** What a configuration depends on besides its text. */
export interface ConfigSurroundings {
  /** Variables that override values (`ROSTACK__...`) or hold secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths are resolved against. @default the folder of the file, or the working directory */
  readonly folder?: string;
  /**
   * Refuses a certificate that is not valid at this time, in milliseconds since 1970.
   * @default not checked here; `createGateway` refuses it
   */
  readonly certificatesAtMs?: number;
}

const REFUSED = 'The configuration cannot be read';
const aPath = expecting('the path of a file', (value) => typeof value === 'string');
const configSurroundings = optionsOf<ConfigSurroundings>({
  environment: anObject,
  folder: optional(aString),
  certificatesAtMs: optional(anInteger(0, Number.MAX_SAFE_INTEGER)),
});

/** The place of a mistake; line and column decide the order. */
interface Location {
  readonly text: string | undefined;
  readonly line: number;
  readonly column: number;
}

type Locate = (mistake: ConfigMistake) => Location;

const NOWHERE: Location = { text: undefined, line: 0, column: 0 };

/**
 * Reads a configuration file, applies the environment, and checks everything that can be checked without starting.
 * @throws OptionsError `invalid_options`; ConfigError `config_invalid`, with every mistake, its line and column, and what to write
 */
export async function loadConfig(file: string, surroundings: ConfigSurroundings): Promise<GatewayConfig> {
  checkOptions(aPath, file, REFUSED, 'file');
  checkOptions(configSurroundings, surroundings, REFUSED, 'surroundings');
  const { environment, folder = dirname(resolve(file)), certificatesAtMs } = surroundings;
  const { value, fault, positionOf } = readYaml(await readConfigFile(file));
  if (fault !== undefined) {
    const message = `this is not YAML: ${fault.message.replace(/\.$/, '')}; correct it here.`;
    throw new ConfigError([{ path: [], message, location: `${file}:${fault.line}:${fault.column}` }]);
  }
  const inFile: Locate = ({ path, isAboutName = false }) => {
    const { line, column } = positionOf(path, isAboutName);
    return { text: `${file}:${line}:${column}`, line, column };
  };
  if (value === null || value === undefined) {
    const message = 'the file is empty; `rostack-gateway init` writes an example.';
    throw new ConfigError([{ path: [], message, location: `${file}:1:1` }]);
  }
  return checkConfig(value, { environment, folder, certificatesAtMs }, inFile);
}

/**
 * Checks a configuration that a program has built, with the same members as the file.
 * @throws OptionsError `invalid_options`; ConfigError `config_invalid`, with every mistake
 */
export async function parseConfig(
  value: ConfigInput,
  surroundings: ConfigSurroundings,
): Promise<GatewayConfig> {
  checkOptions(configSurroundings, surroundings, REFUSED, 'surroundings');
  const { environment, folder = process.cwd(), certificatesAtMs } = surroundings;
  return checkConfig(value, { environment, folder, certificatesAtMs }, () => NOWHERE);
}

type Checked = Required<Omit<ConfigSurroundings, 'certificatesAtMs'>> & {
  readonly certificatesAtMs: number | undefined;
};

async function checkConfig(
  written: unknown,
  { environment, folder, certificatesAtMs }: Checked,
  inFile: Locate,
): Promise<GatewayConfig> {
  const deep = Object.entries(Object(written)).find(([, member]) => isDeeperThan(MAX_LEVELS - 1, member));
  if (deep !== undefined) {
    const message = `${deep[0]}: ${TOO_DEEP.toLowerCase()}, or one is inside of itself; write it flatter.`;
    throw toConfigError([{ path: [deep[0]], message }], [], inFile);
  }
  const { value, overrides, mistakes } = applyEnvironment(withoutEmpty(written), environment);
  if (mistakes.length > 0) {
    throw new ConfigError(mistakes.map(({ variable, ...mistake }) => ({ ...mistake, location: variable })));
  }
  const reader = new ReferenceReader({ folder, environment, certificatesAtMs });
  const parsed = await reader.parse(configModel, value);
  if (!parsed.success) {
    throw toConfigError(
      parsed.error.issues.flatMap((issue) => describeIssue(issue)),
      overrides,
      inFile,
    );
  }
  const config = inWrittenOrder(parsed.data, value);
  const refused = definitionMistakes(config, config.publicUrl ?? 'https://localhost');
  if (refused.length > 0) throw toConfigError(refused, overrides, inFile);
  return config;
}

/** The parser orders resources by when their files were read; this restores the order of the configuration file. */
function inWrittenOrder(config: GatewayConfig, value: unknown): GatewayConfig {
  const written: Partial<Record<'resources' | 'schemas', unknown>> = Object(value);
  const writtenResources: Readonly<Record<string, unknown>> = Object(written.resources);
  const resources = Object.entries(ordered(config.resources, writtenResources)).map(([name, resource]) => {
    const { representations }: { readonly representations?: unknown } = Object(writtenResources[name]);
    return [
      name,
      { ...resource, representations: ordered(resource.representations, representations) },
    ] as const;
  });
  return {
    ...config,
    resources: Object.fromEntries(resources),
    schemas: ordered(config.schemas, written.schemas),
  };
}

function ordered<T>(members: Readonly<Record<string, T>>, written: unknown): Record<string, T> {
  const places = new Map(Object.keys(Object(written)).map((name, place) => [name, place]));
  const placeOf = (name: string): number => places.get(name) ?? places.size;
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => placeOf(a) - placeOf(b)));
}

/** Mistakes in variables come first, the others in the order of the file. */
function toConfigError(
  mistakes: readonly ConfigMistake[],
  overrides: readonly Override[],
  inFile: Locate,
): ConfigError {
  const located = firstOfEachPlace(mistakes).map((mistake) => {
    const variable = overrideOf(mistake.path, overrides)?.variable;
    return { mistake, location: variable === undefined ? inFile(mistake) : { ...NOWHERE, text: variable } };
  });
  located.sort((a, b) => a.location.line - b.location.line || a.location.column - b.location.column);
  return new ConfigError(located.map(({ mistake, location }) => ({ ...mistake, location: location.text })));
}

/** Keeps the first mistake of each value; others usually follow from it. */
function firstOfEachPlace(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  const places = new Map<string, ConfigMistake>();
  for (const mistake of mistakes) {
    const place = JSON.stringify(mistake.path);
    if (!places.has(place)) places.set(place, mistake);
  }
  return [...places.values()];
}

/** The override that a value came from. */
function overrideOf(path: readonly PathSegment[], overrides: readonly Override[]): Override | undefined {
  return overrides.find((override) => override.path.every((segment, index) => path[index] === segment));
}

async function readConfigFile(file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (error) {
    const reason = reasonOfFile(error);
    const message =
      reason === 'ENOENT'
        ? 'there is no such file; name it with --config FILE, or make one with `rostack-gateway init`.'
        : `the file cannot be read (${reason}); name one that can with --config FILE.`;
    throw new ConfigError([{ path: [], message, location: file }]);
  }
}

/** Leaves out empty members that are optional, such as a section whose members are all commented out. */
function withoutEmpty(value: unknown): unknown {
  // Most files have none, and the schema takes a while to make.
  return hasEmpty(value) ? withoutOptional(value, alternatives(configSchema())) : value;
}

const hasEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasEmpty));

function withoutOptional(value: unknown, nodes: readonly SchemaNode[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutOptional(item, stepInto(nodes, index)));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => member !== null || !isOptional(name, nodes));
  return Object.fromEntries(
    kept.map(([name, member]) => [name, withoutOptional(member, stepInto(nodes, name))]),
  );
}

const isOptional = (name: string, nodes: readonly SchemaNode[]) =>
  nodes.some(
    ({ properties, required = [] }) => Object.hasOwn(properties ?? {}, name) && !required.includes(name),
  );
