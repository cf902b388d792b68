import { type Ref, useRef } from 'react';
import { ghostSvg } from '../../../../brand/art/ghost.ts';
import { brand } from '../../../../brand/brand.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { copyText } from '../../../browser/clipboard.ts';
import { toasts } from '../../../toasts.ts';
import { ArtLight } from '../../../ui/art-light.tsx';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { InlineArt } from '../../../ui/inline-art.tsx';
import { writeNumber } from '../../../ui/numerals/write-number.ts';
import { toastStore } from '../../../ui/toast/toast-store.ts';
import { useTemporaryFlag } from '../use-temporary-flag.ts';
import type { MemberDrop, ShownOffer } from './member-drop.ts';

const COPY_TICK_MS = 2000;

type PassCardProps = {
  readonly member: Pick<Member, 'referral_code' | 'position'>;
  readonly drop: MemberDrop;
  readonly offer: ShownOffer;
  readonly heading: Ref<HTMLHeadingElement>;
};

export function PassCard({ member, drop, offer, heading }: PassCardProps) {
  const { place, linkProblem } = drop;
  const isUsed = offer.state === 'redeemed';
  return (
    <section className="stack pass" aria-labelledby="drop-title" data-used={isUsed || undefined}>
      <div className="pass-face">
        <InlineArt id="pass-ghost" draw={() => ghostSvg(member.referral_code)}>
          <ArtLight />
        </InlineArt>
      </div>
      <div className="pass-words">
        <p className="label pass-head">
          <span>{brand.name}</span>
          <span>Drop {place.drop}</span>
        </p>
        <h2 id="drop-title" ref={heading} tabIndex={-1}>
          <span className="pass-member">{brand.specified.memberName}</span>{' '}
          <span className="pass-number">#{writeNumber(place.position ?? member.position)}</span>
        </h2>
        <p className="pass-size">
          <span className="label">{isUsed ? 'Bought in size' : 'One mask, size'}</span>{' '}
          <strong>{offer.size}</strong>
        </p>
      </div>
      <div className="pass-stub">
        {typeof offer.code === 'string' ? (
          <PassCode code={offer.code} shopLink={offer.shop_link ?? null} isUsed={isUsed} />
        ) : (
          !isUsed && <p>{linkProblem} Open the link in your mail to see the code of this pass.</p>
        )}
        <p className="label">
          {isUsed ? 'Used. Your order is with the shop.' : 'Opens the shop once. Not transferable.'}
        </p>
      </div>
    </section>
  );
}

type PassCodeProps = {
  readonly code: string;
  readonly shopLink: string | null;
  readonly isUsed: boolean;
};

function PassCode({ code, shopLink, isUsed }: PassCodeProps) {
  const text = useRef<HTMLElement>(null);
  const copied = useTemporaryFlag(COPY_TICK_MS);

  async function copy(): Promise<void> {
    if (await copyText(code)) return copied.raise();
    if (text.current) getSelection()?.selectAllChildren(text.current);
    toastStore.show({ ...toasts.copyFailed, description: 'Please copy the code by hand.' });
  }

  return (
    <>
      <p className="pass-code">
        <span className="label">Your code</span>
        <code ref={text} data-long={code.length > LONG_CODE || undefined}>
          {code}
        </code>
      </p>
      {!isUsed && (
        <div className="stack pass-acts">
          {shopLink !== null && (
            <ButtonLink href={shopLink} rel="noreferrer">
              Open the shop
            </ButtonLink>
          )}
          <Button variant={shopLink === null ? 'primary' : 'secondary'} onClick={copy}>
            {copied.isRaised ? 'Copied' : 'Copy the code'}
          </Button>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {copied.isRaised ? 'The code is copied.' : ''}
      </p>
    </>
  );
}

/** Longer than our own codes, which have four groups of four. */
const LONG_CODE = 19;
