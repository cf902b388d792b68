type QuietToggleProps = {
  /** 'asked': by the visitor's system, so there is nothing to toggle. */
  readonly state: 'off' | 'chosen' | 'asked';
  readonly onToggle: () => void;
};

export function QuietToggle({ state, onToggle }: QuietToggleProps) {
  if (state === 'asked') return <p className="label">Quiet mode is on, as your system asks</p>;
  return (
    <button
      type="button"
      className="pill quiet-toggle needs-script"
      aria-pressed={state === 'chosen'}
      onClick={onToggle}
    >
      <i className="quiet-dot" aria-hidden="true" />
      Quiet mode
    </button>
  );
}
