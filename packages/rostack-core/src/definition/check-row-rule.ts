import type { Fault } from '../model/fault.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { WrittenRowRule } from '../visibility/written-row-rule.ts';
import { fieldTypes, operatorsFor } from './field-types.ts';

/**
 * What is wrong with the fields of a written rule by the schema of the records: those that it does not have, and operators that cannot
 * match their type.
 * @returns faults whose `path` is a JSON Pointer into the rule
 */
export function checkRowRule({ fields }: WrittenRowRule, schema: JsonSchema): readonly Fault[] {
  return fields.flatMap(({ pointer, operator, path }) => {
    const types = fieldTypes(schema, pointer);
    if (types === undefined) {
      const message = `${pointer} is no field of the schema; write one that it declares, or add the field to the schema`;
      return [{ check: 'row_rule', path, message }];
    }
    const operators = operatorsFor(types);
    if (operators.includes(operator)) return [];
    const message = `${operator} cannot match ${pointer}, which is ${[...types].join(' or ')}; write one of ${operators.join(', ')}`;
    return [{ check: 'row_rule', path, message }];
  });
}
