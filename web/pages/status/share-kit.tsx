import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { MEMBER_IMAGES, memberImageWords, placeWords } from '../../../contract/member-image.ts';
import { fillPath, type ImageFormat, imagePaths } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { writeNumber } from '../../ui/numerals/write-number.ts';
import { listChannels } from './channel-rules.ts';
import { drawOnce } from './ghost-card.tsx';

type ShareKitProps = {
  readonly member: Member;
  readonly message: Parameters<typeof listChannels>[0];
  /** Opens the device's share sheet with the invite and this picture. */
  readonly onShare: (picture: File) => void;
};

/** Room for the whole kit beside the invite. Narrower windows fold it. */
const WIDE = '(min-width: 40rem)';

export function ShareKit({ member, message, onShare }: ShareKitProps) {
  const [isQrShown, setQrShown] = useState(false);
  const [isOpen] = useState(() => matchMedia(WIDE).matches);
  const [canShare] = useState(canSharePictures);
  const linkProps = { member, onShare: canShare ? onShare : null };
  const [face] = useState(() => ({
    __html: drawOnce(member.referral_code).replace('<svg ', `<svg id="${FACE_ID}" `),
  }));
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by this site. */}
      <div className="share-images-face" dangerouslySetInnerHTML={face} />
      <div className="share-story">
        <ImageLink {...linkProps} format="tall">
          <span className="button button-secondary">
            {canShare ? 'Share my story' : 'Save my story'}
          </span>
        </ImageLink>
      </div>
      <details className="share-kit" open={isOpen}>
        <summary>More ways to share</summary>
        <div className="share-kit-parts">
          <div className="share-images">
            <h3 className="label" id="share-images">
              {canShare ? 'Share image' : 'Save image'}
            </h3>
            <ul aria-labelledby="share-images">
              <li>
                <ImageLink {...linkProps} format="wide">
                  Wide
                </ImageLink>
              </li>
              <li>
                <ImageLink {...linkProps} format="square">
                  Square
                </ImageLink>
              </li>
            </ul>
            <button
              type="button"
              className="button button-secondary"
              aria-expanded={isQrShown}
              onClick={() => setQrShown(!isQrShown)}
            >
              {isQrShown ? 'Hide QR code' : 'Show QR code'}
            </button>
          </div>
          {isQrShown && (
            <img
              className="share-qr"
              src={fillPath(imagePaths.inviteQr, member.referral_code)}
              alt="QR code of your invite link"
              width="270"
              height="270"
            />
          )}
          <div>
            <h3 className="label" id="share-by">
              Send by
            </h3>
            <ul className="share-channels" aria-labelledby="share-by">
              {listChannels(message).map(({ name, href }) => (
                <li key={name}>
                  {/* The address of this page is the member's own, so no site may learn it. */}
                  <a
                    className="button button-secondary"
                    href={href}
                    {...(href.startsWith('https:') && { target: '_blank', rel: 'noreferrer' })}
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </div>
      </details>
    </>
  );
}

/** The member's face, which other pictures of the page use again. */
export const FACE_ID = 'preview-face';

type ImageLinkProps = {
  readonly member: Pick<Member, 'id' | 'position'>;
  readonly format: ImageFormat;
  readonly onShare: ((picture: File) => void) | null;
  readonly children: ReactNode;
};

function ImageLink({ member, format, onShare, children }: ImageLinkProps) {
  const path = fillPath(imagePaths.memberImage, member.id, format);
  const picture = useRef<Promise<File | null>>(null);

  /** Fetches before the click, because the sheet only opens soon after one. */
  function prefetch(): Promise<File | null> {
    picture.current ??= fetchPicture(path);
    return picture.current;
  }

  async function share(event: MouseEvent): Promise<void> {
    if (onShare === null) return;
    event.preventDefault();
    const file = await prefetch();
    // The position in the picture may have changed by the next time.
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
      <ImagePreview format={format} position={member.position} />
      {children}
    </a>
  );
}

type ImagePreviewProps = {
  readonly format: ImageFormat;
  readonly position: number;
};

/** Looks like a QR code of 21 by 21, and leads nowhere. */
const MODULES =
  'M2 2h5v5H2ZM14 2h5v5h-5ZM2 14h5v5H2ZM9 2h2v3H9ZM10 7h3v2h-3ZM3 9h3v2H3ZM9 11h3v3H9Z' +
  'M14 10h2v2h-2ZM17 12h2v3h-2ZM13 15h2v2h-2ZM16 17h3v2h-3ZM9 16h2v3H9Z';

/** Imitates the image of the server, which would be 250 kB. */
function ImagePreview({ format, position }: ImagePreviewProps) {
  const layout = MEMBER_IMAGES[format];
  const { width, height, left, ghost, qr } = layout;
  const [first, last] = memberImageWords(format, position, brand);
  const { before, number, after } = placeWords([first, `#${writeNumber(position)}`, last], layout);
  return (
    <svg className="image-preview" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <use href={`#${FACE_ID}`} {...ghost} />
      <text x={left} y={before.y} fontSize={before.size}>
        {before.text}
      </text>
      <text className="image-preview-number" x={left} y={number.y} fontSize={number.size}>
        {number.text}
      </text>
      <text x={left} y={after.y} fontSize={after.size}>
        {after.text}
      </text>
      {qr && (
        <g transform={`translate(${qr.x} ${qr.y}) scale(${qr.side / 21})`}>
          <rect width="21" height="21" rx="1" />
          <path className="image-preview-modules" d={MODULES} />
        </g>
      )}
    </svg>
  );
}

function canSharePictures(): boolean {
  const sample = new File(['x'], 'sample.jpg', { type: 'image/jpeg' });
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [sample] });
}

const TIMEOUT_MS = 15_000;

async function fetchPicture(path: string): Promise<File | null> {
  const call = new AbortController();
  setTimeout(() => call.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, { signal: call.signal });
    if (!response.ok) return null;
    return new File([await response.blob()], 'invite.jpg', { type: 'image/jpeg' });
  } catch {
    return null;
  }
}
