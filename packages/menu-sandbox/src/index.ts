export const name = 'menu-sandbox';
