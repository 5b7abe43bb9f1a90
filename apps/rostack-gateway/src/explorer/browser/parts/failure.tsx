import type { ComponentChildren } from 'preact';
import type { FailureText } from '../failure-text.ts';

/** What went wrong, in words, with what to do about it. */
export function Failure({
  failure,
  children,
}: {
  readonly failure: FailureText;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{failure.title}</strong> {failure.advice}
      </p>
      {failure.detail === undefined ? null : (
        <p class="detail">
          <code>{failure.detail}</code>
        </p>
      )}
      {children}
    </div>
  );
}
