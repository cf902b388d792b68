/** The native element is announced everywhere, and needs no style attribute for its width. */
export function ProgressBar({ label, percent }: { label: string; percent: number }) {
  return (
    <progress className="progress" aria-label={label} max={100} value={percent}>
      {`${Math.round(percent)}%`}
    </progress>
  );
}
