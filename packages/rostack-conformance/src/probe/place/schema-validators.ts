import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type JsonSchema, SCHEMA_DIALECT } from 'rostack-core';

/** What is wrong with a value, in words; undefined if it fits. */
export type SchemaValidator = (value: unknown) => string | undefined;

/**
 * Validators by the URL of a schema; undefined if the schema is missing, invalid, or of a dialect other than JSON Schema 2020-12.
 * @param schemas by URL, including all that they refer to
 */
export function schemaValidators(
  schemas: ReadonlyMap<string, JsonSchema>,
): (url: string) => SchemaValidator | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateSchema: false });
  formats.default(ajv);
  for (const [url, schema] of schemas) ajv.addSchema({ ...schema }, url);
  return (url) => {
    const { $schema: dialect = SCHEMA_DIALECT } = schemas.get(url) ?? {};
    if (!schemas.has(url) || dialect !== SCHEMA_DIALECT) return undefined;
    try {
      const validate = ajv.getSchema<unknown>(url);
      return validate && ((value) => (validate(value) ? undefined : ajv.errorsText(validate.errors)));
    } catch {
      // What the target serves is not a schema, or refers to one that cannot be read.
      return undefined;
    }
  };
}
