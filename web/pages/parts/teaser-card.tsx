import Play from 'lucide-react/icons/play';
import { useEffect, useRef, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import tallPosterAvif from '../../../brand/media/poster-tall.avif';
import tallPosterJpeg from '../../../brand/media/poster-tall.jpg';
import widePosterAvif from '../../../brand/media/poster-wide.avif';
import widePosterJpeg from '../../../brand/media/poster-wide.jpg';
import tallAv1 from '../../../brand/media/teaser-tall.av1.mp4';
import tallH264 from '../../../brand/media/teaser-tall.mp4';
import wideAv1 from '../../../brand/media/teaser-wide.av1.mp4';
import wideH264 from '../../../brand/media/teaser-wide.mp4';

const WIDE = {
  width: 1280,
  height: 720,
  avif: widePosterAvif,
  jpeg: widePosterJpeg,
  videos: listVideos(wideAv1, wideH264),
};

const TALL = {
  width: 720,
  height: 900,
  avif: tallPosterAvif,
  jpeg: tallPosterJpeg,
  videos: listVideos(tallAv1, tallH264),
};

function listVideos(av1: string, h264: string) {
  return [
    { src: av1, type: 'video/mp4; codecs="av01.0.05M.08"' },
    { src: h264, type: 'video/mp4' },
  ];
}

const TITLE = `${brand.name} teaser`;

const UNPLAYABLE = 'The film cannot be played here.';

const PHONE = '(max-width: 40rem)';
const WIDER = '(min-width: 40.01rem)';

/** The poster is a picture behind the film: the `poster` attribute has neither formats nor cuts. */
export function TeaserCard() {
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
        <Poster onLoad={setPoster} />
        {/* biome-ignore lint/a11y/useMediaCaption: nobody speaks in it. */}
        <video
          ref={video}
          aria-label={TITLE}
          controls={hasStarted}
          // Firefox stops at a player even without controls.
          tabIndex={hasStarted ? 0 : -1}
          playsInline
          preload="none"
          poster={poster}
          onPlay={() => setHasStarted(true)}
        >
          <Films onUnplayable={() => setPlayable(false)} />
        </video>
        {!hasStarted && isPlayable && (
          <button
            type="button"
            className="teaser-play"
            aria-label={`Play: ${TITLE}`}
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

export function PlainTeaserCard() {
  return (
    <div className="teaser">
      {/* biome-ignore lint/a11y/useMediaCaption: nobody speaks in it. */}
      <video
        aria-label={TITLE}
        className="plain-teaser"
        width={WIDE.width}
        height={WIDE.height}
        controls
        playsInline
        preload="none"
        poster={WIDE.jpeg}
      >
        {WIDE.videos.map(({ src, type }) => (
          <source key={src} src={src} type={type} />
        ))}
        {UNPLAYABLE}
      </video>
    </div>
  );
}

function Poster({ onLoad }: { onLoad: (shown: string) => void }) {
  return (
    <picture>
      <source
        media={PHONE}
        srcSet={TALL.avif}
        type="image/avif"
        width={TALL.width}
        height={TALL.height}
      />
      <source media={PHONE} srcSet={TALL.jpeg} width={TALL.width} height={TALL.height} />
      <source srcSet={WIDE.avif} type="image/avif" />
      <img
        src={WIDE.jpeg}
        width={WIDE.width}
        height={WIDE.height}
        alt=""
        loading="lazy"
        onLoad={(event) => onLoad(event.currentTarget.currentSrc)}
      />
    </picture>
  );
}

/** The wide ones come first: browsers of 2023 ignore the `media` of a film's source. */
function Films({ onUnplayable }: { onUnplayable: () => void }) {
  const last = TALL.videos.length - 1;
  return (
    <>
      {WIDE.videos.map(({ src, type }) => (
        <source key={src} media={WIDER} src={src} type={type} />
      ))}
      {TALL.videos.map(({ src, type }, index) => (
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
