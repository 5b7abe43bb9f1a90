import { defineError } from 'rostack-core';
import type { PathSegment } from '../model/config-schema.ts';

/** One thing that is wrong with a configuration. */
export interface ConfigMistake {
  /** Path to the wrong value; empty for the whole configuration. */
  readonly path: readonly PathSegment[];
  /** Whether the name of the member is wrong, not its value. */
  readonly isAboutName?: boolean;
  /** A sentence: what is wrong and what to write. Holds no secret. */
  readonly message: string;
}

/** A mistake with its location: `file:line:column`, the name of an environment variable, or nothing. */
export interface LocatedMistake extends ConfigMistake {
  /** Undefined if the location is not known. */
  readonly location: string | undefined;
}

/** The configuration cannot be used; each line of the message is one mistake. */
export class ConfigError extends defineError('ConfigError', 'config_invalid', false) {
  /** All mistakes, at least one. */
  readonly mistakes: readonly LocatedMistake[];

  constructor(mistakes: readonly LocatedMistake[]) {
    super(
      mistakes
        .map(({ location, message }) => (location === undefined ? message : `${location}: ${message}`))
        .join('\n'),
    );
    this.mistakes = mistakes;
  }
}

const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;

/** A path in readable form: `listeners.data.trusted_proxies[0]`, `resources.stations.filterable["/id"]`. */
export function formatPath(path: readonly PathSegment[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (!PLAIN_NAME.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text === '' ? 'the configuration' : text;
}
