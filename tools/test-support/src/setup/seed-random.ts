import { randomInt } from 'node:crypto';
import { env } from 'node:process';
import { configureGlobal, readConfigureGlobal } from 'fast-check';

/**
 * One seed for the property tests of a file, so that a failure can be had again as it was: fast-check prints the seed
 * with each failure, and `TEST_SEED=<seed>` sets it.
 */
const seed = env.TEST_SEED === undefined ? randomInt(2 ** 31) : Number(env.TEST_SEED);

configureGlobal({ ...readConfigureGlobal(), seed });
