/** Members note it, so that nobody can change the draw and its record together. */
export function DrawHash({ hash }: { readonly hash: string | null }) {
  if (hash === null) return null;
  return (
    <details className="quiet draw-hash">
      <summary>Check the draw</summary>
      Note this hash of the draw, and compare it on its page later: <code>{hash}</code>
    </details>
  );
}
