import { appendFileSync, readFileSync } from 'node:fs';
import { env } from 'node:process';
import { afterAll, expect } from 'vitest';

/** In /proc/self/stat: time of this process and of the children that it has waited for, user and system. */
const FIRST_FIELD = 11;
const TICKS_PER_SECOND = 100;

const spent = globalThis as { processorSecondsBefore?: number };

function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(FIRST_FIELD, FIRST_FIELD + 4).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

const file = env['TEST_PROCESSOR_FILE'];

// The reporter of longest files reads it; set where there is /proc.
if (file !== undefined) {
  afterAll(() => {
    const now = processorSeconds();
    const seconds = now - (spent.processorSecondsBefore ?? 0);
    spent.processorSecondsBefore = now;
    appendFileSync(file, `${JSON.stringify({ file: expect.getState().testPath, seconds })}\n`);
  });
}
