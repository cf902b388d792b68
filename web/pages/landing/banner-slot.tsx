import { useEffect, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import type { JoinedMember } from '../../api/answer-shapes.ts';
import { memberStorage } from '../../browser/storage.ts';
import { Banner } from '../../ui/banner.tsx';
import { writeNumber } from '../../ui/numerals/write-number.ts';
import { EMAIL_FIELD_ID } from '../parts/join-form.tsx';

type BannerSlotProps = { readonly referral: string | null; readonly isReferralActive: boolean };

export function BannerSlot({ referral, isReferralActive }: BannerSlotProps) {
  const [member, setMember] = useState<JoinedMember | null>(null);
  useEffect(() => setMember(memberStorage.read()), []);

  /** The focused button disappears with the member, so the focus moves on. */
  function joinAsAnother(): void {
    memberStorage.clear();
    setMember(null);
    document.getElementById(EMAIL_FIELD_ID)?.focus();
  }

  const isEmpty = !isReferralActive && member === null;
  const query = referral === null ? '' : `?ref=${encodeURIComponent(referral)}`;
  return (
    <div className="banner-slot">
      {isEmpty && (
        <p className="label">
          <span>Limited edition</span>
          <span>No restocks</span>
        </p>
      )}
      {isReferralActive && (
        <Banner tone="charged">Referral Active - Better Position Guaranteed!</Banner>
      )}
      {member && (
        <Banner tone="plain">
          <div className="welcome">
            <a href={fillPath(pagePaths.status, member.id) + query}>
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
