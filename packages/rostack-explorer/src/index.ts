export { createExplorer, type ExplorerOptions } from './create-explorer.ts';
export type { ExplorerSubject } from './description/describe-implementation.ts';
