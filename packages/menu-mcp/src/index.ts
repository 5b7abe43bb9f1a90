export const name = 'menu-mcp';
