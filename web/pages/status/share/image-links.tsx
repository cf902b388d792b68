import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { type ImageFormat, imagePaths } from '../../../../contract/paths.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { canSharePictures, fetchPicture } from '../../../browser/pictures.ts';
import { drawOnce } from '../ghost-card.tsx';
import { ImagePreview } from './image-preview.tsx';

type ImageLinksProps = {
  readonly member: Member;
  /** Opens the device's share sheet with the invite and this picture. */
  readonly onShare: (picture: File) => void;
  /** Fills the corner that the images leave. */
  readonly children: ReactNode;
};

/** The most shared one first. */
const FORMATS: readonly { format: ImageFormat; label: string }[] = [
  { format: 'tall', label: 'Story' },
  { format: 'wide', label: 'Wide' },
  { format: 'square', label: 'Square' },
];

const FACE_ID = 'preview-face';

/** The member's images, to share or, where that is impossible, to save. */
export function ImageLinks({ member, onShare, children }: ImageLinksProps) {
  const [canShare] = useState(canSharePictures);
  const [face] = useState(() => ({
    __html: drawOnce(member.referral_code).replace('<svg ', `<svg id="${FACE_ID}" `),
  }));
  return (
    <div className="share-images">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by this site. */}
      <div className="share-images-face" dangerouslySetInnerHTML={face} />
      <h3 className="label" id="share-images">
        {canShare ? 'Share image' : 'Save image'}
      </h3>
      <div className="share-images-grid">
        <ul aria-labelledby="share-images">
          {FORMATS.map(({ format, label }) => (
            <li key={format} className={`share-image-${format}`}>
              <ImageLink
                path={imagePaths.memberImage(member.id, format)}
                label={label}
                onShare={canShare ? onShare : null}
              >
                <ImagePreview format={format} position={member.position} faceId={FACE_ID} />
              </ImageLink>
            </li>
          ))}
        </ul>
        {children}
      </div>
    </div>
  );
}

type ImageLinkProps = {
  readonly path: string;
  readonly label: string;
  /** null: the link saves the image. */
  readonly onShare: ((picture: File) => void) | null;
  readonly children: ReactNode;
};

function ImageLink({ path, label, onShare, children }: ImageLinkProps) {
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
      title={label}
      onPointerEnter={prefetchIfShared}
      onFocus={prefetchIfShared}
      onClick={share}
    >
      <span className="visually-hidden">{label}</span>
      {children}
    </a>
  );
}
