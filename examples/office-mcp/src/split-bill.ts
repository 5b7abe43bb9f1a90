import { z } from 'zod';

export const config = {
  description: 'Split a lunch bill evenly.',
  inputSchema: z.object({ totalWon: z.int().positive(), people: z.int().positive() }),
};

export function splitBill({ totalWon, people }: z.infer<typeof config.inputSchema>) {
  const text = `${Math.ceil(totalWon / people).toLocaleString('ko-KR')}원`;
  return { content: [{ type: 'text' as const, text }] };
}
