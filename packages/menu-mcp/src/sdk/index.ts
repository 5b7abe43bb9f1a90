import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { MenuService } from 'menu-client';
import { addMenuPrompts, type PromptHost } from '../prompts/what-can-i-eat.ts';
import { addMenuResources, type ResourceHost } from '../resources/menu-resource.ts';
import type { BindOptions } from '../tools/bind-tools.ts';

export type { PromptHost } from '../prompts/what-can-i-eat.ts';
export type { ResourceHost } from '../resources/menu-resource.ts';

/**
 * Adds the resource template `menu://{vendor}/{id}/{date}`, with completion of its variables, to a server of SDK 1.x.
 * @throws MenuError `invalid_argument`
 */
export function registerMenuResources(
  server: ResourceHost,
  service: MenuService,
  options: BindOptions = {},
): void {
  addMenuResources(ResourceTemplate, server, service, options);
}

/**
 * Adds the prompt `what_can_i_eat` to a server of SDK 1.x.
 * @param service completes the place with names of restaurants; without it there is no completion
 * @throws MenuError `invalid_argument`
 */
export function registerMenuPrompts(server: PromptHost, service?: MenuService): void {
  addMenuPrompts(completable, server, service);
}
