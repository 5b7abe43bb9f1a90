/** Permission names that are needed together. */
export function PermissionList({
  names,
  none,
}: {
  readonly names: readonly string[];
  /** What an empty list means. */
  readonly none: string;
}) {
  if (names.length === 0) return <>{none}</>;
  return (
    <>
      {names.map((name, index) => (
        <>
          {index === 0 ? null : ' and '}
          <code>{name}</code>
        </>
      ))}
    </>
  );
}
