import { brand } from '../../../brand/brand.ts';
import tallPosterAvif from '../../../brand/media/poster-tall.avif';
import tallPosterJpeg from '../../../brand/media/poster-tall.jpg';
import widePosterAvif from '../../../brand/media/poster-wide.avif';
import widePosterJpeg from '../../../brand/media/poster-wide.jpg';
import tallAv1 from '../../../brand/media/teaser-tall.av1.mp4';
import tallH264 from '../../../brand/media/teaser-tall.mp4';
import wideAv1 from '../../../brand/media/teaser-wide.av1.mp4';
import wideH264 from '../../../brand/media/teaser-wide.mp4';
import { type Cut, PlainTeaser, Teaser } from '../../ui/teaser.tsx';

const WIDE: Cut = {
  width: 1280,
  height: 720,
  avif: widePosterAvif,
  jpeg: widePosterJpeg,
  videos: listVideos(wideAv1, wideH264),
};

const TALL: Cut = {
  width: 720,
  height: 900,
  avif: tallPosterAvif,
  jpeg: tallPosterJpeg,
  videos: listVideos(tallAv1, tallH264),
};

function listVideos(av1: string, h264: string): Cut['videos'] {
  return [
    { src: av1, type: 'video/mp4; codecs="av01.0.05M.08"' },
    { src: h264, type: 'video/mp4' },
  ];
}

const TITLE = `${brand.name} teaser`;

export function TeaserCard() {
  return <Teaser title={TITLE} wide={WIDE} tall={TALL} />;
}

export function PlainTeaserCard() {
  return <PlainTeaser title={TITLE} wide={WIDE} />;
}
