import { afterEach, beforeEach, vi } from 'vitest';

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;

beforeEach(() => {
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => {});
});

afterEach(() => {
  const printed = METHODS.flatMap((method) =>
    vi.mocked(console[method]).mock.calls.map((call) => `console.${method}(${call.map(String).join(', ')})`),
  );
  vi.restoreAllMocks();
  if (printed.length > 0) throw new Error(`a unit test printed to the console:\n${printed.join('\n')}`);
});
