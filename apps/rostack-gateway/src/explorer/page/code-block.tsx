interface CodeBlockProps {
  readonly title: string;
  /** Tells the block apart for programs: `curl-list`, `client`. */
  readonly kind: string;
  readonly code: string;
}

/** Code to copy; the script adds the button. */
export function CodeBlock({ title, kind, code }: CodeBlockProps) {
  return (
    <figure class="code" data-example={kind}>
      <figcaption>{title}</figcaption>
      <pre tabindex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
