export const name = 'rostack-core';
