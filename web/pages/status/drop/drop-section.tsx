/** The drop on a member's page: a chunk and a style sheet of its own. */
import { type Ref, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { brand } from '../../../../brand/brand.ts';
import {
  editionWords,
  endedWords,
  lineWordsOf,
  passWords,
  refundWords,
} from '../../../../brand/drop-words.ts';
import { stateOf } from '../../../../contract/drop/place-states.ts';
import { fillPath, imagePaths, PASS_FORMATS, pagePaths } from '../../../../contract/paths.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { writeMoment } from '../../../countdown/use-time-left.ts';
import { toasts } from '../../../toasts.ts';
import { ArtLight } from '../../../ui/art-light.tsx';
import { copyText } from '../../../ui/clipboard.ts';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { InlineArt } from '../../../ui/inline-art.tsx';
import { loadStyles } from '../../../ui/late-styles.ts';
import { writeNumber } from '../../../ui/numerals/write-number.ts';
import { toastStore } from '../../../ui/toast/toast-store.ts';
import { useCopied } from '../../../ui/use-copied.ts';
import { drawOnce } from '../ghost-card.tsx';
import styles from './drop.css?url';
import { EntryActs } from './entry-acts.tsx';
import { loadMemberDrop, type MemberDrop, type ShownOffer } from './member-drop.ts';
import { FreshLink, OfferCard } from './offer-card.tsx';
import { PassCheckout } from './pass-checkout.tsx';

/** What the drop changes about the words of the line. */
export function describeLine({ place, offer }: MemberDrop) {
  return lineWordsOf(place, stateOf(place, offer) === 'pass');
}

/** Pages without a drop do without these styles, so the sheet of the site has none of them. */
export async function loadStyledDrop(
  ...member: Parameters<typeof loadMemberDrop>
): Promise<MemberDrop> {
  const [drop] = await Promise.all([loadMemberDrop(...member), loadStyles(styles)]);
  return drop;
}

export type DropSectionProps = {
  readonly member: Pick<Member, 'id' | 'referral_code' | 'position'>;
  readonly drop: MemberDrop;
};

export function DropSection({ member, drop: loaded }: DropSectionProps) {
  const [own, setOwn] = useState<MemberDrop | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [acts, setActs] = useState(0);
  // The answer to an act is newer than the refresh before it.
  const drop = own !== null && own.receivedAt >= loaded.receivedAt ? own : loaded;

  // The pressed button disappears with its state, so the focus moves to the heading.
  useEffect(() => {
    if (acts > 0) heading.current?.focus();
  }, [acts]);

  function showNews(news: MemberDrop): void {
    const isOther = news.place.card_entry?.state !== drop.place.card_entry?.state;
    if (isOther || stateOf(news.place, news.offer) !== stateOf(drop.place, drop.offer))
      setActs((count) => count + 1);
    setOwn(news);
  }

  const reload = () => void loadMemberDrop(member.id).then(showNews, () => undefined);

  const { place, offer } = drop;
  const state = stateOf(place, offer);
  if (state === null) return null;
  const card = { member, drop, heading, onReload: reload };
  if (state === 'offered' && offer !== null)
    return (
      <>
        <OfferCard {...card} offer={offer} onNews={showNews} />
        <DrawHash {...place} />
      </>
    );
  if (state === 'pass' && offer !== null)
    return (
      <>
        <PassCard {...card} offer={offer} isFresh={acts > 0} />
        <DrawHash {...place} />
      </>
    );
  const isDropOver = place.state === 'closed';
  const words =
    offer === null
      ? place.words
      : endedWords(state, { isDropOver, time: writeMoment(offer.expires_at) });
  if (words === null) return null;
  const isListed = state !== 'not-listed';
  const entry = offer === null ? place.card_entry : null;
  const isToEnter = entry !== null && entry.state !== 'held';
  // The numeral font has no other signs: the text says how small or large other odds are.
  const percent = place.odds?.percent ?? 0;
  const facts = [
    ['Your place when frozen', place.position !== null && `#${writeNumber(place.position)}`],
    ['Your place in the draw', place.place !== null && writeNumber(place.place)],
    ['Odds in %', percent > 0 && percent < 100 && percent],
  ] as const;
  return (
    <section
      className="card stack drop-card drop-state"
      data-state={state}
      aria-labelledby="drop-title"
    >
      {isListed && (
        <div className="drop-face">
          <InlineArt id="drop-ghost" draw={() => drawOnce(member.referral_code)} />
        </div>
      )}
      <div className="drop-words">
        {isListed && <p className="label">{`Drop ${place.drop}`}</p>}
        <h2 id="drop-title" ref={heading} tabIndex={-1}>
          {words.title}
        </h2>
        <p>{words.text}</p>
        {offer?.refund && <p>{refundWords(offer.refund)}</p>}
        {drop.linkProblem !== '' && <p className="drop-problem">{drop.linkProblem}</p>}
      </div>
      {entry && (
        <EntryActs
          memberId={member.id}
          drop={drop}
          cardEntry={entry}
          onNews={showNews}
          onReload={reload}
        />
      )}
      <dl className="drop-facts">
        {facts.map(
          ([name, value]) =>
            value !== false && (
              <div key={name}>
                <dt className="label">{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <div className="drop-links">
        {place.position !== null && (
          <ButtonLink
            variant={state === 'over' || isToEnter ? 'secondary' : 'primary'}
            href={pagePaths.draw}
          >
            See your ticket
          </ButtonLink>
        )}
        <DrawHash {...place} />
      </div>
    </section>
  );
}

/** Members note it, so that nobody can change the draw and its record together. */
function DrawHash({ hash }: { readonly hash: string | null }) {
  if (hash === null) return null;
  return (
    <details className="quiet draw-hash">
      <summary>Check the draw</summary>
      Note this hash, and compare it on <a href={pagePaths.draw}>its page</a>: <code>{hash}</code>
    </details>
  );
}

type PassCardProps = DropSectionProps & {
  readonly offer: ShownOffer;
  readonly heading: Ref<HTMLHeadingElement>;
  /** The offer was accepted here and now: the stub is torn, and light sweeps over the pass. */
  readonly isFresh: boolean;
  readonly onReload: () => void;
};

function PassCard({ member, drop, offer, heading, isFresh, onReload }: PassCardProps) {
  const { place, linkProblem } = drop;
  const isPaid = offer.state !== 'accepted';
  const isOver = isPaid && offer.state !== 'paid';
  const needsCode = !isOver && (isPaid || !offer.checkout?.is_own);
  return (
    <section
      className="stack pass"
      aria-labelledby="drop-title"
      data-used={isOver || undefined}
      data-fresh={isFresh || undefined}
    >
      <div className="pass-face">
        <InlineArt id="pass-ghost" draw={() => drawOnce(member.referral_code)}>
          <ArtLight />
        </InlineArt>
      </div>
      <div className="pass-words">
        <p className="label pass-head">
          <span>{brand.name}</span>
          <span>{`Drop ${place.drop}`}</span>
        </p>
        <h2 id="drop-title" ref={heading} tabIndex={-1}>
          <span className="pass-member">{brand.specified.memberName}</span>{' '}
          <span className="pass-number">
            {`#${writeNumber(place.position ?? member.position)}`}
          </span>
        </h2>
        {place.edition && (
          <p className="pass-edition">{editionWords(place.edition, brand.language).join(' ')}</p>
        )}
        <p className="pass-size">
          <span className="label">{isPaid ? 'Bought in size' : 'One mask, size'}</span>{' '}
          <strong>{offer.size}</strong>
        </p>
      </div>
      <div className="pass-stub">
        {offer.checkout && !isPaid && (
          <PassCheckout checkout={offer.checkout} offer={offer} onReload={onReload} />
        )}
        {typeof offer.code !== 'string' && !isOver && (
          <FreshLink memberId={member.id} problem={linkProblem} use="use this pass" />
        )}
        {typeof offer.code === 'string' && needsCode && (
          <PassCode code={offer.code} shopLink={isPaid ? null : (offer.shop_link ?? null)} />
        )}
        <p className="drop-links">
          {PASS_FORMATS.map((format) => (
            <a key={format} href={fillPath(imagePaths.passImage, member.id, format)} download>
              {`Save as ${format === 'tall' ? 'story' : format}`}
            </a>
          ))}
        </p>
        <p className="label">
          {passWords(offer.state, offer.refund) ||
            (offer.checkout?.is_own
              ? 'One payment, one mask. Not transferable.'
              : 'Opens the shop once. Not transferable.')}
        </p>
      </div>
    </section>
  );
}

type PassCodeProps = {
  readonly code: string;
  readonly shopLink: string | null;
};

/** The code is worth a mask, so a press shows it and another press hides it. */
function PassCode({ code, shopLink }: PassCodeProps) {
  const [isShown, setShown] = useState(false);
  const text = useRef<HTMLElement>(null);
  const copied = useCopied();

  async function copy(): Promise<void> {
    if (await copyText(code)) return copied.raise();
    flushSync(() => setShown(true));
    if (text.current) getSelection()?.selectAllChildren(text.current);
    toastStore.show({ ...toasts.copyFailed, description: 'Please copy the code by hand.' });
  }

  return (
    <>
      <div id="pass-code" className="stack" data-folded={!isShown || undefined}>
        <PassQr code={code} />
        <p className="pass-code">
          <span className="label">Your code</span>
          <code ref={text} data-long={code.length > LONG_CODE || undefined}>
            {code}
          </code>
        </p>
      </div>
      <div className="stack pass-acts">
        {shopLink !== null && (
          <ButtonLink href={shopLink} rel="noreferrer">
            Open the shop
          </ButtonLink>
        )}
        <Button
          variant="secondary"
          aria-expanded={isShown}
          aria-controls="pass-code"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide code' : 'Show code'}
        </Button>
        <Button variant={shopLink === null ? 'primary' : 'secondary'} onClick={copy}>
          {copied.isRaised ? 'Copied' : 'Copy the code'}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {copied.isRaised ? 'The code is copied.' : ''}
      </p>
    </>
  );
}

/** QR code for the camera at a door. It has its final size before the encoder arrives. */
function PassQr({ code }: { code: string }) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[]>([]);
  useEffect(() => {
    void import('uqr').then(
      ({ encode }) => setModules(encode(code, { ecc: 'M', border: 4 }).data),
      () => {}, // The code below it can be typed.
    );
  }, [code]);
  const path = modules.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      className="pass-qr"
      role="img"
      aria-label="QR code of your pass"
      data-drawn={modules.length > 0 || undefined}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path.join('')} />
    </svg>
  );
}

/** Length of a generated code: four groups of four. Longer codes are imported ones. */
const LONG_CODE = 19;
