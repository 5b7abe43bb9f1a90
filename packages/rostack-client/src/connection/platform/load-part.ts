import { NetworkError } from '../../http/error/errors.ts';

/** Loads a part of this package that not everybody needs. @throws NetworkError if its file cannot be read */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new NetworkError('a part of rostack-client', cause);
  }
}
