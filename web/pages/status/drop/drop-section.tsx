/** The drop on a member's page: a chunk of its own, with its styles. */
import { useEffect, useRef, useState } from 'react';
import { stateOf, wordsOf } from '../../../../contract/drop/place-words.ts';
import { pagePaths } from '../../../../contract/paths.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { writeMoment } from '../../../countdown/use-time-left.ts';
import { writeNumber } from '../../../ui/numerals/write-number.ts';
import cardStyles from './drop.css?inline';
import { loadMemberDrop, type MemberDrop } from './member-drop.ts';
import { OfferCard } from './offer-card.tsx';
import passStyles from './pass.css?inline';
import { PassCard } from './pass-card.tsx';

export { loadMemberDrop };

export const dropStyles = cardStyles + passStyles;

// Pages without a drop do without these styles, so no sheet of the site has them.
if (typeof document !== 'undefined') {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(dropStyles);
  document.adoptedStyleSheets.push(sheet);
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
    if (stateOf(news.place, news.offer) !== stateOf(drop.place, drop.offer))
      setActs((count) => count + 1);
    setOwn(news);
  }

  const reload = () => void loadMemberDrop(member.id).then(showNews, () => undefined);

  const { place, offer } = drop;
  const state = stateOf(place, offer);
  if (state === null) return null;
  if (state === 'offered' && offer !== null)
    return (
      <OfferCard
        memberId={member.id}
        drop={drop}
        offer={offer}
        heading={heading}
        onNews={showNews}
        onReload={reload}
      />
    );
  if (state === 'pass' && offer !== null)
    return <PassCard member={member} drop={drop} offer={offer} heading={heading} />;
  if (state === 'offered' || state === 'pass') return null;
  const { title, text } = wordsOf(state, {
    place,
    time: offer === null ? '' : writeMoment(offer.expires_at),
  });
  return (
    <section className="card stack drop-card" aria-labelledby="drop-title">
      <div className="drop-words">
        <p className="label">Drop {place.drop}</p>
        <h2 id="drop-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <p>{text}</p>
        {drop.linkProblem !== '' && <p className="drop-problem">{drop.linkProblem}</p>}
      </div>
      <dl className="drop-facts">
        {place.position !== null && (
          <div>
            <dt className="label">Frozen at</dt>
            <dd>#{writeNumber(place.position)}</dd>
          </div>
        )}
        {place.place !== null && (
          <div>
            <dt className="label">In the draw</dt>
            <dd>{writeNumber(place.place)}</dd>
          </div>
        )}
      </dl>
      <p className="drop-links">
        <a href={pagePaths.draw}>
          {place.position === null ? 'See the draw' : 'See your ticket in the draw'}
        </a>
      </p>
    </section>
  );
}
