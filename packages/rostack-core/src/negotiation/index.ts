export { negotiateMediaType } from './negotiate-media-type.ts';
