export { createRostackMcp, type RostackMcp, type RostackMcpOptions } from './create-rostack-mcp.ts';
export type { RecordIdPlace } from './record/record-id-option.ts';
