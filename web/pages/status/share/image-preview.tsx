import { brand } from '../../../../brand/brand.ts';
import { MEMBER_IMAGES, placePosition } from '../../../../contract/member-image.ts';
import type { ImageFormat } from '../../../../contract/paths.ts';
import { writeNumber } from '../../../ui/numerals/write-number.ts';

type ImagePreviewProps = {
  readonly format: ImageFormat;
  readonly position: number;
  /** Id of an SVG of the member's face in the page. */
  readonly faceId: string;
};

/** A member's image in small, laid out as the server draws it. Fetched, it would be 250 kB. */
export function ImagePreview({ format, position, faceId }: ImagePreviewProps) {
  const layout = MEMBER_IMAGES[format];
  const { width, height, left, ghost, wordSize, qr } = layout;
  const number = `#${writeNumber(position)}`;
  const { size, baselines } = placePosition(number, layout);
  return (
    <svg className="image-preview" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <use href={`#${faceId}`} {...ghost} />
      <text x={left} y={baselines[0]} fontSize={wordSize}>
        {brand.specified.memberName}
      </text>
      <text className="image-preview-number" x={left} y={baselines[1]} fontSize={size}>
        {number}
      </text>
      <text x={left} y={baselines[2]} fontSize={wordSize}>
        in line
      </text>
      {qr && <rect x={qr.x} y={qr.y} width={qr.side} height={qr.side} rx="16" />}
    </svg>
  );
}
