/** Text that is no URI template, or values that a template cannot take; the message says where and why. */
export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';
  readonly code = 'invalid_uri_template';
  readonly retryable = false;
}
