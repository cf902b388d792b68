import './share-kit.css';
import { useState } from 'react';
import { brand } from '../../../../brand/brand.ts';
import { imagePaths } from '../../../../contract/paths.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { listChannels } from './channel-rules.ts';
import { ImageLinks } from './image-links.tsx';

type ShareKitProps = {
  readonly member: Member;
  /** The invite link. */
  readonly url: string;
  /** Opens the device's share sheet with the invite and this picture. */
  readonly onShare: (picture: File) => void;
};

/** Every other way to share: the member's images, the invite's QR code, and apps by their links. */
export function ShareKit({ member, url, onShare }: ShareKitProps) {
  const [isQrShown, setQrShown] = useState(false);
  const { shareTitle: title, shareText: text } = brand.copy;
  return (
    <div className="share-kit">
      <ImageLinks member={member} onShare={onShare}>
        <button
          type="button"
          className="button button-secondary"
          aria-expanded={isQrShown}
          onClick={() => setQrShown(!isQrShown)}
        >
          {isQrShown ? 'Hide' : 'Show'} QR code
        </button>
      </ImageLinks>
      {isQrShown && (
        <img
          className="share-qr"
          src={imagePaths.inviteQr(member.referral_code)}
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
          {listChannels({ title, text, url }).map(({ name, href }) => (
            <li key={name}>
              {/* The address of this page is the member's own: no site may learn it. */}
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
  );
}
