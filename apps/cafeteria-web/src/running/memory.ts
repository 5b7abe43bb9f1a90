import { setFlagsFromString } from 'node:v8';

// Pages are short-lived text beside much that stays: the old generation may grow by half before it is collected instead of
// several times over. The start command bounds the young one, which a running process cannot.
setFlagsFromString('--heap-growing-percent=50');
