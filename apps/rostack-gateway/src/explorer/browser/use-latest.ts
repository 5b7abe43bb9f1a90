import { useEffect, useRef } from 'preact/hooks';

/** Gives a signal for each new piece of work and aborts the one before; all end with the component. */
export function useLatest(): () => AbortSignal {
  const present = useRef<AbortController>(undefined);
  useEffect(() => () => present.current?.abort(), []);
  return () => {
    present.current?.abort();
    present.current = new AbortController();
    return present.current.signal;
  };
}
