/** A JSON-RPC error of `resources/read`; both SDKs send `code` unchanged. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly code: -32_002 | -32_603;

  private constructor(code: ResourceError['code'], message: string) {
    super(message);
    this.code = code;
  }

  static notFound(uri: string): ResourceError {
    return new ResourceError(
      -32_002,
      `Resource not found: ${uri.slice(0, 200)}. Use menu://{vendor}/{id}/{date} with vendor and id of a search result.`,
    );
  }

  static fault(): ResourceError {
    return new ResourceError(-32_603, 'This server has a fault. Trying again will hardly help.');
  }

  static unreadable(code: string): ResourceError {
    return new ResourceError(
      -32_603,
      `The operator's data could not be read (${code}). Try again in a minute.`,
    );
  }
}
