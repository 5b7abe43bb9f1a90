import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageChain, type RecordPage } from './page-chain.ts';

test('any steps to and fro show the pages in order, and the source is read at most one page ahead', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.constantFrom('forward', 'back', 'ahead')),
      async (count, steps) => {
        let read = 0;
        async function* source(): AsyncGenerator<RecordPage, void, undefined> {
          for (; read < count; read += 1) yield { records: [{ number: read }] };
        }
        const chain = new PageChain(source());
        expect(chain.page).toBeUndefined();
        await chain.forward();
        let index = 0;
        for (const step of steps) {
          if (step === 'forward') {
            await chain.forward();
            index = Math.min(index + 1, count - 1);
          } else if (step === 'back') {
            chain.back();
            index = Math.max(index - 1, 0);
          } else {
            await chain.readAhead();
          }
          const isKnown = chain.hasNext === index + 1 < count && !chain.isReadingAhead;
          expect(step !== 'ahead' || isKnown).toBe(true);
          expect(chain.number).toBe(index + 1);
          expect(chain.page).toEqual({ records: [{ number: index }] });
          expect(chain.hasPrevious).toBe(index > 0);
        }
      },
    ),
  );
});

test('an empty chain has one step and no page', async () => {
  const chain = new PageChain((async function* () {})());
  await chain.forward();
  expect(chain.page).toBeUndefined();
  expect(chain.hasNext).toBe(false);
});
