import { rostack } from '../../stations.ts';

export const { GET, HEAD, OPTIONS } = rostack;
