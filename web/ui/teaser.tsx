import Play from 'lucide-react/icons/play';
import { useRef, useState } from 'react';

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
 * The poster is a picture behind it: the `poster` attribute has neither formats nor cuts.
 */
export function Teaser({ title, wide, tall }: TeaserProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [hasStarted, setHasStarted] = useState(false);
  const [poster, setPoster] = useState<string>();

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
        controls
        playsInline
        preload="none"
        poster={poster}
        onPlay={() => setHasStarted(true)}
      >
        {tall.videos.map(({ src, type }) => (
          <source key={src} media={PHONE} src={src} type={type} />
        ))}
        {wide.videos.map(({ src, type }) => (
          <source key={src} src={src} type={type} />
        ))}
      </video>
      {!hasStarted && (
        <button
          type="button"
          className="teaser-play"
          aria-label={`Play: ${title}`}
          // Rejected when it is paused before it begins. The controls tell of failures.
          onClick={() => video.current?.play().catch(() => undefined)}
        >
          <Play aria-hidden="true" size={28} fill="currentColor" />
        </button>
      )}
    </div>
  );
}
