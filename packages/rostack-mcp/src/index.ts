export { createRostackMcp, type RostackMcp, type RostackMcpOptions } from './create-rostack-mcp.ts';
