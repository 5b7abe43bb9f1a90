/** Parameters are not nested deeper: `params`, `arguments`, one of them. */
const MAX_DEPTH = 4;

function present(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, present(member, depth + 1)]],
    ),
  );
}

/** The message without parameters that are null, at any depth: many clients send null for what they leave out. */
export function withPresentParameters(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('params' in message)) return message;
  const { params, ...rest } = message;
  return params === null ? rest : { ...rest, params: present(params, 0) };
}
