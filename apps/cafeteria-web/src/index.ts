export const name = 'cafeteria-web';
