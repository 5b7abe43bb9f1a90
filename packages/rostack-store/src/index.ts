export const name = 'rostack-store';
