export const name = 'rostack-server';
