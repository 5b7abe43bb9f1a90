import { useEffect, useRef } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly titles: Readonly<Record<Name, string>>;
  readonly selected: Name;
  /** The id of the panel of a tab. */
  readonly panelId: (name: Name) => string;
  readonly onSelect: (name: Name) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** A row of tabs, each with a panel; arrow keys move between the tabs. */
export function Tabs<Name extends string>({
  label,
  names,
  titles,
  selected,
  panelId,
  onSelect,
}: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(
    () => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true }),
    [],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (names.indexOf(selected) + step + names.length) % names.length;
    const name = names[index];
    if (name === undefined) return;
    onSelect(name);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(panelId(name))}
          aria-selected={name === selected}
          aria-controls={panelId(name)}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {titles[name]}
        </button>
      ))}
    </div>
  );
}

/** The id of the tab of a panel. */
export const tabId = (panelId: string): string => `${panelId}-tab`;
