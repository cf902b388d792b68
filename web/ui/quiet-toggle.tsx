type QuietToggleProps = {
  /** 'asked': the visitor's system wants it so; then there is nothing to press. */
  readonly state: 'off' | 'chosen' | 'asked';
  readonly onToggle: () => void;
};

/** Switches glow and motion off. The visible label never changes: the pressed state says whether they are off. */
export function QuietToggle({ state, onToggle }: QuietToggleProps) {
  if (state === 'asked') return <p className="label">Quiet mode is on, as your system asks</p>;
  return (
    <button type="button" className="pill quiet-toggle" aria-pressed={state === 'chosen'} onClick={onToggle}>
      <i className="quiet-dot" aria-hidden="true" />
      Quiet mode
    </button>
  );
}
