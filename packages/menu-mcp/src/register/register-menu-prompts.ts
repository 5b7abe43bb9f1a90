import { whatCanIEat } from '../prompts/what-can-i-eat.ts';

/** A server that accepts prompts, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface PromptHost {
  registerPrompt(
    name: string,
    config: { title: string; description: string; argsSchema: typeof whatCanIEat.argsShape },
    callback: (args: { place: string }) => {
      messages: { role: 'user'; content: { type: 'text'; text: string } }[];
      [member: string]: unknown;
    },
  ): unknown;
}

/** Adds the prompt `what_can_i_eat`. */
export function registerMenuPrompts(server: PromptHost): void {
  const { name, title, description, argsShape } = whatCanIEat;
  server.registerPrompt(name, { title, description, argsSchema: argsShape }, ({ place }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: whatCanIEat.text(place) } }],
  }));
}
