interface PagerProps {
  readonly number: number;
  readonly count: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly onBack: () => void;
  readonly onForward: () => void;
}

/** Where one is in a chain of pages, and the ways on. */
export function Pager({ number, count, hasPrevious, hasNext, onBack, onForward }: PagerProps) {
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={!hasPrevious} onClick={onBack}>
        Previous
      </button>
      <span role="status">
        Page {number}, {count} {count === 1 ? 'record' : 'records'}
      </span>
      <button type="button" disabled={!hasNext} onClick={onForward}>
        Next
      </button>
    </nav>
  );
}
