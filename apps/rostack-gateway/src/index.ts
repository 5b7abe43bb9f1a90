export const name = 'rostack-gateway';
