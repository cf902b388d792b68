type MusicToggleProps = {
  readonly isPlaying: boolean;
  readonly onToggle: () => void;
};

/** The visible label never changes: the pressed state says whether music plays. */
export function MusicToggle({ isPlaying, onToggle }: MusicToggleProps) {
  return (
    <button type="button" className="pill music-toggle" aria-pressed={isPlaying} onClick={onToggle} data-music-toggle>
      <span className="music-bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      Music
    </button>
  );
}
