import type { Check } from '../../../check/check.ts';
import type { Level } from '../../../check/level.ts';
import type { Need } from '../../../check/need.ts';
import { FRAME_REQUIREMENTS } from '../../../probe/ws/judge-frame.ts';
import { Blocked, GatewayTrial } from './gateway-trial.ts';

/** What every check of the gateway may judge, because everything that it receives is judged. */
const ALWAYS = ['ws.subprotocol', 'ws.close-codes', ...FRAME_REQUIREMENTS] as const;

interface GatewayCheck {
  readonly name: string;
  /** @default 'follows' */
  readonly level?: Level;
  /** Besides those about frames. */
  readonly requirements: readonly string[];
  /** Besides events and a token. */
  readonly needs?: readonly Need[];
  /** As in `Check`. */
  readonly runsBeside?: true;
  /** What it does; it may throw `Blocked`. */
  readonly run: (trial: GatewayTrial) => Promise<void>;
}

/** Makes a `Check` from one that works on the gateway. */
export function gatewayCheck({
  name,
  level = 'follows',
  requirements,
  needs = [],
  runsBeside,
  run,
}: GatewayCheck): Check {
  return {
    name,
    level,
    requirements: [...new Set([...requirements, ...ALWAYS])],
    needs: ['events', 'token', ...needs],
    ...(runsBeside && { runsBeside }),
    async run(context) {
      const { findings } = context;
      await using trial = new GatewayTrial(context);
      try {
        await run(trial);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        const { id, expected, got, probe } = error;
        if (id !== undefined) findings.fail(id, { expected, got, exchange: probe?.exchange });
        for (const left of requirements) findings.skip(left, `not reached: ${expected} ${got}`);
      }
      for (const id of trial.kept) findings.pass(id);
    },
  };
}
