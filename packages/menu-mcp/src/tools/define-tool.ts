import type { MenuService } from 'menu-client';
import type { z } from 'zod';
import { plainSchema } from './plain-schema.ts';
import type { ToolContext, ToolDefinition } from './tool-definition.ts';
import { explainError, type ToolResult, toolFailure } from './tool-result.ts';

/** The tools only read, and what they read comes from others. */
const READ_ONLY = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: true,
} as const;

interface ToolParts<Arguments extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the tool takes; its messages say what to send. */
  readonly arguments: Arguments;
  readonly output: z.ZodObject;
  readonly hasCard?: true;
  /** May throw: any error is explained to the caller. */
  answer(service: MenuService, input: z.output<Arguments>, context: ToolContext): Promise<ToolResult>;
}

/** `null` is how some clients leave out a member. */
const withoutNulls = (input: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

/** A tool that checks its arguments itself, since the schema that clients see accepts more. */
export function defineTool<Arguments extends z.ZodObject>(parts: ToolParts<Arguments>): ToolDefinition {
  const { name, title, description, hasCard } = parts;
  return {
    name,
    title,
    description,
    inputSchema: plainSchema(parts.arguments, 'input'),
    outputSchema: plainSchema(parts.output, 'output'),
    annotations: READ_ONLY,
    ...(hasCard === undefined ? {} : { hasCard }),
    async handle(service, input, context) {
      const read = parts.arguments.safeParse(withoutNulls(input));
      if (!read.success) {
        return toolFailure([...new Set(read.error.issues.map(({ message }) => message))].join(' '));
      }
      try {
        return await parts.answer(service, read.data, context);
      } catch (error) {
        return explainError(error, context.onFault);
      }
    },
  };
}
