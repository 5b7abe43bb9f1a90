import type { Scene } from './scene.ts';
import type { ScriptedOptions } from './scripted-implementation.ts';

/** Looks at some requirements by letting a client follow a scripted server. */
export interface ClientCheck {
  /** Unique, dotted, begins with `client.`. */
  readonly name: string;
  /** Ids that it may judge, besides those of every scene. */
  readonly requirements: readonly string[];
  /** What the server says of itself. */
  readonly options?: ScriptedOptions;
  run(scene: Scene): Promise<void>;
}
