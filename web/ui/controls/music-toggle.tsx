export function MusicToggle({ isPlaying, onToggle }: { isPlaying: boolean; onToggle: () => void }) {
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
