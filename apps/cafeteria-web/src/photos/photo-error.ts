/** Why a photo is not shown, with the status to answer and whether a later request may get it. */
export const PHOTO_ERRORS = {
  not_allowed: { status: 404, retryable: false },
  not_a_photo: { status: 404, retryable: false },
  /** Nearly white: the photo may come later, at the same address. */
  placeholder: { status: 404, retryable: true },
  too_large: { status: 404, retryable: false },
  not_found: { status: 404, retryable: false },
  unreachable: { status: 502, retryable: true },
  timeout: { status: 504, retryable: true },
  overloaded: { status: 503, retryable: true },
} as const;

export type PhotoErrorCode = keyof typeof PHOTO_ERRORS;

export class PhotoError extends Error {
  override readonly name = 'PhotoError';
  readonly code: PhotoErrorCode;
  readonly retryable: boolean;

  constructor(code: PhotoErrorCode, message: string) {
    super(message);
    this.code = code;
    this.retryable = PHOTO_ERRORS[code].retryable;
  }
}
