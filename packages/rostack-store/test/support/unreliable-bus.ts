import type { HintBus } from '../../src/index.ts';

/** What becomes of one hint. */
export type Fate =
  | { readonly kind: 'arrives' | 'lost' | 'doubled' | 'nameless' | 'mistaken' }
  | { readonly kind: 'late'; readonly byMs: number };

type OnHint = Parameters<HintBus['subscribe']>[0];

/** A bus within this process that treats each hint as it is told, and then as it was told first again. */
export class UnreliableBus implements HintBus {
  readonly #fates: readonly Fate[];
  readonly #listeners = new Set<OnHint>();
  #published = 0;

  constructor(fates: readonly Fate[]) {
    this.#fates = fates;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  publish(resources: readonly string[]): void {
    const fate = this.#fates[this.#published % this.#fates.length] ?? { kind: 'lost' };
    this.#published += 1;
    if (fate.kind === 'lost') return;
    if (fate.kind === 'late') {
      setTimeout(() => this.#tell(resources), fate.byMs);
    } else if (fate.kind === 'nameless') {
      this.#tell(undefined);
    } else if (fate.kind === 'mistaken') {
      this.#tell(['', 'nowhere', ...resources.map((name) => `${name}x`)]);
    } else {
      this.#tell(resources);
      if (fate.kind === 'doubled') this.#tell(resources);
    }
  }

  subscribe(onHint: OnHint): () => void {
    this.#listeners.add(onHint);
    return () => {
      this.#listeners.delete(onHint);
    };
  }

  #tell(resources: readonly string[] | undefined): void {
    for (const onHint of this.#listeners) onHint(resources);
  }
}
