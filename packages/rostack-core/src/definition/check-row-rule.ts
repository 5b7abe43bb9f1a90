import type { WrittenRowRule } from '../record/visibility/written-row-rule.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import type { Fault } from '../wire/model/fault.ts';
import { fieldTypes, operatorsFor } from './schema/field-types.ts';

/**
 * Checks the fields of a written rule against the schema of the records: each has to exist there, and its operator has to be able to
 * match its type.
 * @returns faults whose `path` is a JSON Pointer into the rule
 */
export function checkRowRule({ fields }: WrittenRowRule, schema: JsonSchema): readonly Fault[] {
  return fields.flatMap(({ pointer, operator, path }) => {
    const types = fieldTypes(schema, pointer);
    if (types === undefined) {
      const message = `${pointer} is not a field of the schema; write one that it declares, or add the field to the schema`;
      return [{ check: 'row_rule', path, message }];
    }
    const operators = operatorsFor(types);
    if (operators.includes(operator)) return [];
    const message = `${operator} cannot match ${pointer}, which is ${[...types].join(' or ')}; write one of ${operators.join(', ')}`;
    return [{ check: 'row_rule', path, message }];
  });
}
