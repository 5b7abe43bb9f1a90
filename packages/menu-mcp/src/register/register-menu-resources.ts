import { ResourceTemplate } from '@modelcontextprotocol/server';
import type { MenuService } from 'menu-client';
import {
  COMPLETIONS,
  MENU_RESOURCE,
  type ResourceText,
  readMenuResource,
} from '../resources/menu-resource.ts';
import { MENU_URI_TEMPLATE } from '../resources/menu-uri.ts';
import { type BindOptions, toolContext } from '../tools/bind-tools.ts';

/** A server that accepts resources, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface ResourceHost {
  registerResource(
    name: string,
    template: never,
    config: { title: string; description: string; mimeType: string },
    callback: (uri: URL) => Promise<ResourceText>,
  ): unknown;
}

/** Adds the resource template `menu://{vendor}/{id}/{date}` with completion of its variables. */
export function registerMenuResources(
  server: ResourceHost,
  service: MenuService,
  options: BindOptions = {},
): void {
  const context = toolContext(options);
  const template = new ResourceTemplate(MENU_URI_TEMPLATE, {
    list: undefined,
    complete: { ...COMPLETIONS, id: (value) => COMPLETIONS.id(value, service) },
  });
  const { name, ...config } = MENU_RESOURCE;
  // The templates of both SDKs look alike, but private members make their types incompatible.
  server.registerResource(name, template as never, config, (uri) =>
    readMenuResource(uri.href, service, context()),
  );
}
