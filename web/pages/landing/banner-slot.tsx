import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { useStoredMember } from '../../browser/use-stored-member.ts';
import { Banner } from '../../ui/banner.tsx';
import { writeNumber } from '../../ui/numerals/write-number.ts';
import { EMAIL_FIELD_ID } from '../parts/join-form.tsx';

/** Between header and headline: an active referral, and the way back for a member. */
export function BannerSlot({ hasReferral }: { hasReferral: boolean }) {
  const { member, forget } = useStoredMember();

  /** The focused button disappears with the member, so the focus moves on. */
  function joinAsAnother(): void {
    forget();
    document.getElementById(EMAIL_FIELD_ID)?.focus();
  }

  const isEmpty = !hasReferral && member === null;
  return (
    <div className="banner-slot">
      {isEmpty && (
        <p className="label">
          <span>Limited edition</span>
          <span>No restocks</span>
        </p>
      )}
      {hasReferral && <Banner tone="charged">Referral Active - Better Position Guaranteed!</Banner>}
      {member && (
        <Banner tone="plain">
          <div className="welcome">
            <a href={pagePaths.status(member.id)}>
              Welcome back, {brand.specified.memberName}
              {member.position === undefined ? '' : ` #${writeNumber(member.position)}`}
            </a>
            <button type="button" onClick={joinAsAnother}>
              Not you?
            </button>
          </div>
        </Banner>
      )}
    </div>
  );
}
