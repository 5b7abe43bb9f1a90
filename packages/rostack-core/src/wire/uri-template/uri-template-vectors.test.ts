import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { vectorCases } from '../../../test/support/vectors.ts';
import { parseUriTemplate, type TemplateValues, UriTemplateError } from '../../index.ts';

interface ValidRow {
  readonly section: string;
  readonly template: string;
  readonly values: TemplateValues;
  readonly expansion: string;
}

interface InvalidRow {
  readonly template: string;
  readonly values?: TemplateValues;
}

const validRows = vectorCases('uri-template/valid.json') as readonly ValidRow[];
const invalidRows = vectorCases('uri-template/invalid.json') as readonly InvalidRow[];

describe('valid', () => {
  test.each(validRows)('$section: $template', ({ template, values, expansion }) => {
    expect(parseUriTemplate(template).expand(values)).toBe(expansion);
  });
});

describe('invalid', () => {
  test.each(invalidRows)('$template', ({ template, values }) => {
    const error = thrownBy(() => {
      const parsed = parseUriTemplate(template);
      if (values !== undefined) parsed.expand(values);
    });
    expect(error).toBeInstanceOf(UriTemplateError);
    expect(error).toMatchObject({ code: 'invalid_uri_template', retryable: false });
  });
});
