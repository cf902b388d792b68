import Play from 'lucide-react/icons/play';
import { useEffect, useRef, useState } from 'react';

export type Cut = {
  readonly width: number;
  readonly height: number;
  readonly avif: string;
  readonly jpeg: string;
  readonly videos: readonly { readonly src: string; readonly type: string }[];
};

const UNPLAYABLE = 'The film cannot be played here.';

type TeaserProps = { readonly title: string; readonly wide: Cut; readonly tall: Cut };

const PHONE = '(max-width: 40rem)';
const WIDER = '(min-width: 40.01rem)';

/** The poster is a picture behind the film: the `poster` attribute has neither formats nor cuts. */
export function Teaser({ title, wide, tall }: TeaserProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [hasStarted, setHasStarted] = useState(false);
  const [isPlayable, setPlayable] = useState(true);
  const [poster, setPoster] = useState<string>();

  // The focused play button disappears.
  useEffect(() => {
    if (hasStarted) video.current?.focus();
  }, [hasStarted]);

  return (
    <div>
      <div className="teaser">
        <Poster wide={wide} tall={tall} onLoad={setPoster} />
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
        >
          <Films wide={wide} tall={tall} onUnplayable={() => setPlayable(false)} />
        </video>
        {!hasStarted && isPlayable && (
          <button
            type="button"
            className="teaser-play"
            aria-label={`Play: ${title}`}
            // A pause before it begins rejects the promise.
            onClick={() => video.current?.play().catch(() => undefined)}
          >
            <Play aria-hidden="true" size={28} fill="currentColor" />
          </button>
        )}
      </div>
      <p role="status">{isPlayable ? '' : UNPLAYABLE}</p>
    </div>
  );
}

export function PlainTeaser({ title, wide }: Omit<TeaserProps, 'tall'>) {
  return (
    <div className="teaser">
      {/* biome-ignore lint/a11y/useMediaCaption: nobody speaks in it. */}
      <video
        aria-label={title}
        className="plain-teaser"
        width={wide.width}
        height={wide.height}
        controls
        playsInline
        preload="none"
        poster={wide.jpeg}
      >
        {wide.videos.map(({ src, type }) => (
          <source key={src} src={src} type={type} />
        ))}
        {UNPLAYABLE}
      </video>
    </div>
  );
}

type CutsProps = Pick<TeaserProps, 'wide' | 'tall'>;

function Poster({ wide, tall, onLoad }: CutsProps & { onLoad: (shown: string) => void }) {
  return (
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
        onLoad={(event) => onLoad(event.currentTarget.currentSrc)}
      />
    </picture>
  );
}

/** The wide ones come first: browsers of 2023 ignore the `media` of a film's source. */
function Films({ wide, tall, onUnplayable }: CutsProps & { onUnplayable: () => void }) {
  const last = tall.videos.length - 1;
  return (
    <>
      {wide.videos.map(({ src, type }) => (
        <source key={src} media={WIDER} src={src} type={type} />
      ))}
      {tall.videos.map(({ src, type }, index) => (
        <source
          key={src}
          src={src}
          type={type}
          onError={index === last ? onUnplayable : undefined}
        />
      ))}
    </>
  );
}
