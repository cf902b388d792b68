import { type MouseEvent, useRef, useState } from 'react';
import { IMAGE_FORMATS, type ImageFormat, imagePaths } from '../../../../contract/paths.ts';
import { canSharePictures, fetchPicture } from '../../../browser/pictures.ts';

type ShareImagesProps = {
  readonly memberId: string;
  readonly code: string;
  /** Opens the device's share sheet with the invite and this picture. */
  readonly onShare: (picture: File) => void;
};

const LABELS: Readonly<Record<ImageFormat, string>> = {
  wide: 'Wide',
  square: 'Square',
  tall: 'Story',
};

/** The invite's QR code, and the member's images to share or, where that is impossible, to save. */
export function ShareImages({ memberId, code, onShare }: ShareImagesProps) {
  const [canShare] = useState(canSharePictures);
  return (
    <details className="share-images">
      <summary className="button button-secondary">Show QR and images</summary>
      <div className="share-images-inside">
        <img
          className="share-qr"
          src={imagePaths.inviteQr(code)}
          alt="QR code of your invite link"
          width="270"
          height="270"
          loading="lazy"
        />
        <div>
          <h3 className="label" id="share-images">
            {canShare ? 'Share image' : 'Save image'}
          </h3>
          <ul aria-labelledby="share-images">
            {IMAGE_FORMATS.map((format) => (
              <li key={format}>
                <ImageLink
                  path={imagePaths.memberImage(memberId, format)}
                  label={LABELS[format]}
                  onShare={canShare ? onShare : null}
                />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </details>
  );
}

type ImageLinkProps = {
  readonly path: string;
  readonly label: string;
  /** null: the link saves the image. */
  readonly onShare: ((picture: File) => void) | null;
};

function ImageLink({ path, label, onShare }: ImageLinkProps) {
  const picture = useRef<Promise<File | null>>(null);

  /** Fetched before the click: the sheet only opens soon after one. */
  function prefetch(): Promise<File | null> {
    picture.current ??= fetchPicture(path);
    return picture.current;
  }

  async function share(event: MouseEvent): Promise<void> {
    if (onShare === null) return;
    event.preventDefault();
    const file = await prefetch();
    // Next time the position in the picture may be another.
    picture.current = null;
    if (file) onShare(file);
    else location.assign(path);
  }

  const prefetchIfShared = onShare ? prefetch : undefined;
  return (
    <a
      href={path}
      download
      onPointerEnter={prefetchIfShared}
      onFocus={prefetchIfShared}
      onClick={share}
    >
      {label}
    </a>
  );
}
