import { brand } from '../../../brand/brand.ts';
import type { PrerenderedState } from '../../prerendered-state.ts';
import { JoinForm } from '../parts/join-form.tsx';
import { SizeList } from '../parts/size-list.tsx';

type ValidInviteProps = {
  readonly inviterEmail: string;
  readonly referral: string;
  readonly prerendered: PrerenderedState;
};

export function ValidInvite({ inviterEmail, referral, prerendered }: ValidInviteProps) {
  return (
    <>
      <h1 className="invite-title">Exclusive Invite</h1>
      <p className="invite-from">
        from <strong>{inviterEmail}</strong>
      </p>
      <p className="quiet invite-tagline">{brand.copy.tagline}</p>
      <SizeList />
      <p className="invite-note">{brand.copy.inviteNote}</p>
      <JoinForm
        page="invite"
        referredBy={referral}
        prerendered={prerendered}
        submitLabel="Accept Invite & Join"
      />
    </>
  );
}
