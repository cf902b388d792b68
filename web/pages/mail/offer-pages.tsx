import { fillPath, mailPagePaths } from '../../../contract/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { placeholder } from '../parts/page-without-script.tsx';
import { MemberPage } from './member-page.tsx';

export function OfferPage({ hasSizes = false }: { readonly hasSizes?: boolean }) {
  const action = fillPath(mailPagePaths.offer, placeholder('token'));
  return (
    <MemberPage title="One mask is yours to take">
      <p>
        Size <strong>{placeholder('size')}</strong>, until {placeholder('until')}.{' '}
        {placeholder('detail')} Nothing happens before you press a button.
      </p>
      <form className="stack mail-page-choices" method="post" action={action}>
        <Button type="submit" name="act" value="accept">
          Accept in {placeholder('size')}
        </Button>
        {hasSizes && (
          <fieldset className="stack">
            <legend className="label">Or take another size, while stock lasts</legend>
            {placeholder('choices')}
          </fieldset>
        )}
      </form>
      <form className="stack mail-page-choices" method="post" action={action}>
        <label className="mail-page-sure">
          <input type="checkbox" name="sure" required /> Give this mask up. It goes to the next in
          the draw order, and I cannot take it back.
        </label>
        <Button
          type="submit"
          variant="secondary"
          className="button-erase"
          name="act"
          value="decline"
        >
          Decline
        </Button>
      </form>
    </MemberPage>
  );
}

export function EntryPage() {
  const action = fillPath(mailPagePaths.offer, placeholder('token'));
  return (
    <MemberPage title="The draw">
      <p>{placeholder('detail')}</p>
      <form className="stack mail-page-choices" method="post" action={action}>
        {placeholder('choices')}
      </form>
    </MemberPage>
  );
}

export function PassPage() {
  return (
    <MemberPage title="Your pass">
      <p>
        One mask of size <strong>{placeholder('size')}</strong> is yours. {placeholder('detail')}
      </p>
      <div className="stack mail-page-choices">{placeholder('choices')}</div>
    </MemberPage>
  );
}
