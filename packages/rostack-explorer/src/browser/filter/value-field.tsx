import type { ExplorerField } from '../../description/explorer-data.ts';
import { valueInWords } from '../parts/values.ts';
import { type Condition, valueInputFor } from './condition.ts';

interface ValueFieldProps {
  readonly condition: Condition;
  readonly field: ExplorerField;
  readonly label: string;
  /** Id of the element that describes the fault, if there is one. */
  readonly faultId: string | undefined;
  readonly onChange: (texts: readonly string[]) => void;
}

/** The input for a condition's value, by the field's type and the operator. */
export function ValueField({ condition, field, label, faultId, onChange }: ValueFieldProps) {
  const { texts } = condition;
  const input = valueInputFor(field, condition.operator);
  const common = {
    'aria-label': label,
    'aria-invalid': faultId !== undefined,
    'aria-describedby': faultId,
    value: texts[0] ?? '',
    onInput: (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      onChange([event.currentTarget.value]),
  };
  switch (input) {
    case 'presence':
    case 'boolean':
      return (
        <select {...common}>
          <option value="true">{input === 'presence' ? 'yes' : 'true'}</option>
          <option value="false">{input === 'presence' ? 'no' : 'false'}</option>
        </select>
      );
    case 'choice':
      return (
        <select {...common}>
          {(field.values ?? []).map((value) => (
            <option key={JSON.stringify(value)} value={JSON.stringify(value)}>
              {valueInWords(value)}
            </option>
          ))}
        </select>
      );
    case 'choices':
      return <Choices texts={texts} field={field} label={label} onChange={onChange} />;
    case 'number':
      return <input type="number" step={field.types.includes('number') ? 'any' : 1} {...common} />;
    case 'instant':
      return (
        <span class="with-unit">
          <input type="datetime-local" step={1} {...common} aria-label={`${label}, UTC`} /> UTC
        </span>
      );
    case 'date':
      return <input type="date" {...common} />;
    case 'texts':
      return <input type="text" placeholder="a, b, c" spellcheck={false} autocomplete="off" {...common} />;
    case 'text':
    default:
      return <input type="text" spellcheck={false} autocomplete="off" {...common} />;
  }
}

function Choices({
  texts,
  field,
  label,
  onChange,
}: Omit<ValueFieldProps, 'condition' | 'faultId'> & { readonly texts: readonly string[] }) {
  const toggle = (text: string) =>
    onChange(texts.includes(text) ? texts.filter((each) => each !== text) : [...texts, text]);
  return (
    <fieldset class="choices" aria-label={label}>
      {(field.values ?? []).map((value) => {
        const text = JSON.stringify(value);
        return (
          <label key={text} class="check">
            <input type="checkbox" checked={texts.includes(text)} onChange={() => toggle(text)} />
            {valueInWords(value)}
          </label>
        );
      })}
    </fieldset>
  );
}
