import type { Place } from '../store/model-store.ts';

/** The place that an event cursor names: `1.<scope>.<epoch>.<position>`, and the tag where there is one. */
export function placeOf(cursor: string): Place {
  const [, , epoch = '', position = '', tag = ''] = cursor.split('.');
  return { epoch, position: Number(position), tag };
}

export const showPlace = ({ epoch, position, tag }: Place): string => `${epoch}.${position}.${tag}`;
