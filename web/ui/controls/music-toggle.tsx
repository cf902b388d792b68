type MusicToggleProps = {
  readonly isPlaying: boolean;
  readonly onToggle: () => void;
};

export function MusicToggle({ isPlaying, onToggle }: MusicToggleProps) {
  return (
    <button
      type="button"
      className="pill needs-script"
      aria-pressed={isPlaying}
      onClick={onToggle}
      data-music-toggle
    >
      <span className="music-bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      Music
    </button>
  );
}
