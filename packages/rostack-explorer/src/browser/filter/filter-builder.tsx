import { useRef } from 'preact/hooks';
import type { FilterOperator } from 'rostack-core';
import type { ExplorerField } from '../../description/explorer-data.ts';
import { OPERATORS } from '../../description/filter-operators.ts';
import { type Condition, newCondition, withOperator } from './condition.ts';
import type { Match } from './to-filter.ts';
import { ValueField } from './value-field.tsx';

/** The content of the builder. */
export interface FilterDraft {
  readonly conditions: readonly Condition[];
  readonly match: Match;
}

export const EMPTY_DRAFT: FilterDraft = { conditions: [], match: 'all' };

interface FilterBuilderProps {
  readonly fields: readonly ExplorerField[];
  readonly draft: FilterDraft;
  readonly faults: ReadonlyMap<number, string> | undefined;
  /** Keeps the ids of one builder apart from those of another. */
  readonly idPrefix: string;
  readonly onChange: (draft: FilterDraft) => void;
}

/** Rows of field, operator and value: only what the resource advertises can be chosen. */
export function FilterBuilder({ fields, draft, faults, idPrefix, onChange }: FilterBuilderProps) {
  const filterable = fields.filter(({ operators }) => operators.length > 0);
  const nextKey = useRef(1);
  const rows = useRef<HTMLDivElement>(null);
  const [firstField] = filterable;
  if (firstField === undefined) return <p class="note">No field of this resource can be filtered by.</p>;

  const { conditions, match } = draft;
  const replace = (changed: Condition) =>
    onChange({ ...draft, conditions: conditions.map((each) => (each.key === changed.key ? changed : each)) });
  const add = () => {
    const key = nextKey.current++;
    onChange({ ...draft, conditions: [...conditions, newCondition(key, firstField)] });
    requestAnimationFrame(() =>
      rows.current?.querySelector<HTMLElement>('.condition:last-child select')?.focus(),
    );
  };

  return (
    <fieldset class="filter">
      <legend>Filter</legend>
      {conditions.length > 1 ? (
        <label class="match">
          Records must match{' '}
          <select
            value={match}
            onChange={(event) => onChange({ ...draft, match: event.currentTarget.value as Match })}
          >
            <option value="all">all conditions</option>
            <option value="any">any condition</option>
          </select>
        </label>
      ) : null}
      <div ref={rows} class="conditions">
        {conditions.map((condition, index) => (
          <ConditionRow
            key={condition.key}
            condition={condition}
            number={index + 1}
            fields={filterable}
            fault={faults?.get(condition.key)}
            faultId={`${idPrefix}-fault-${condition.key}`}
            onChange={replace}
            onRemove={() =>
              onChange({ ...draft, conditions: conditions.filter((each) => each !== condition) })
            }
          />
        ))}
      </div>
      <button type="button" class="quiet" onClick={add}>
        + Add condition
      </button>
    </fieldset>
  );
}

interface ConditionRowProps {
  readonly condition: Condition;
  readonly number: number;
  readonly fields: readonly ExplorerField[];
  readonly fault: string | undefined;
  readonly faultId: string;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ condition, number, fields, fault, faultId, onChange, onRemove }: ConditionRowProps) {
  const field = fields.find(({ pointer }) => pointer === condition.pointer);
  if (field === undefined) return null;
  const setField = (pointer: string) => {
    const chosen = fields.find((each) => each.pointer === pointer);
    if (chosen === undefined) return;
    const kept = chosen.operators.find((operator) => operator === condition.operator);
    onChange(newCondition(condition.key, chosen, kept));
  };
  return (
    <div class="condition">
      <select
        aria-label={`Field of condition ${number}`}
        value={field.pointer}
        onChange={(event) => setField(event.currentTarget.value)}
      >
        {fields.map(({ pointer, path }) => (
          <option key={pointer} value={pointer}>
            {path}
          </option>
        ))}
      </select>
      <select
        aria-label={`Operator of condition ${number}`}
        value={condition.operator}
        onChange={(event) =>
          onChange(withOperator(condition, field, event.currentTarget.value as FilterOperator))
        }
      >
        {field.operators.map((operator) => (
          <option key={operator} value={operator}>
            {OPERATORS[operator].words}
          </option>
        ))}
      </select>
      <div class="value">
        <ValueField
          condition={condition}
          field={field}
          label={`Value of condition ${number}`}
          faultId={fault === undefined ? undefined : faultId}
          onChange={(texts) => onChange({ ...condition, texts })}
        />
      </div>
      <button type="button" class="quiet remove" aria-label={`Remove condition ${number}`} onClick={onRemove}>
        <span aria-hidden="true">×</span>
      </button>
      {fault === undefined ? null : (
        <p class="fault" id={faultId}>
          {fault}
        </p>
      )}
    </div>
  );
}
