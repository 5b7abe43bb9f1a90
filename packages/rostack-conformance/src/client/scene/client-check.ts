import type { Scene } from './scene.ts';
import type { ScriptedOptions } from './scripted-implementation.ts';

/** Checks some requirements by letting a client follow a scripted server. */
export interface ClientCheck {
  /** Unique, dotted, starting with `client.`. */
  readonly name: string;
  /** Ids of the requirements that it may judge, besides those of every scene. */
  readonly requirements: readonly string[];
  /** What the server says about itself. */
  readonly options?: ScriptedOptions;
  run(scene: Scene): Promise<void>;
}
