export const name = 'menu-client';
