import Play from 'lucide-react/icons/play';
import { useEffect, useRef, useState } from 'react';

export type Cut = {
  readonly width: number;
  readonly height: number;
  readonly avif: string;
  readonly jpeg: string;
  /** Best format first. */
  readonly videos: readonly { readonly src: string; readonly type: string }[];
};

type TeaserProps = { readonly title: string; readonly wide: Cut; readonly tall: Cut };

const PHONE = '(max-width: 40rem)';

/**
 * A short film with a poster, in a tall cut for phones. No byte of it is fetched before it plays.
 * The poster is a picture behind it: the `poster` attribute has neither formats nor cuts. The
 * player's own controls come with the film, so that there is one button before.
 */
export function Teaser({ title, wide, tall }: TeaserProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [hasStarted, setHasStarted] = useState(false);
  const [poster, setPoster] = useState<string>();

  // The play button is gone, and the focus with it.
  useEffect(() => {
    if (hasStarted) video.current?.focus();
  }, [hasStarted]);

  /** Chosen here: browsers of 2023 ignore the `media` of a film's sources. */
  function play(): void {
    const player = video.current;
    if (!player) return;
    const { videos } = matchMedia(PHONE).matches ? tall : wide;
    player.src = videos.find(({ type }) => player.canPlayType(type))?.src ?? '';
    // Rejected when it is paused before it begins. The controls tell of failures.
    player.play().catch(() => undefined);
  }

  return (
    <div className="teaser">
      <picture>
        <source
          media={PHONE}
          srcSet={tall.avif}
          type="image/avif"
          width={tall.width}
          height={tall.height}
        />
        <source media={PHONE} srcSet={tall.jpeg} width={tall.width} height={tall.height} />
        <source srcSet={wide.avif} type="image/avif" />
        <img
          src={wide.jpeg}
          width={wide.width}
          height={wide.height}
          alt=""
          loading="lazy"
          onLoad={(event) => setPoster(event.currentTarget.currentSrc)}
        />
      </picture>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody speaks in it. */}
      <video
        ref={video}
        aria-label={title}
        controls={hasStarted}
        // Firefox stops at a player even without controls.
        tabIndex={hasStarted ? 0 : -1}
        playsInline
        preload="none"
        poster={poster}
        onPlay={() => setHasStarted(true)}
      />
      {!hasStarted && (
        <button type="button" className="teaser-play" aria-label={`Play: ${title}`} onClick={play}>
          <Play aria-hidden="true" size={28} fill="currentColor" />
        </button>
      )}
    </div>
  );
}
