import { brand } from '../../../brand/brand.ts';
import { useReferral } from '../../form/use-referral.ts';
import type { PageProps } from '../../prerendered-state.ts';
import { JoinForm } from '../parts/join-form.tsx';
import { MailNote } from '../parts/mail-note.tsx';
import { LandingView } from './landing-view.tsx';

export function LandingPage({ prerendered }: PageProps) {
  const { code, isActive } = useReferral(prerendered);
  return (
    <LandingView referral={code} isReferralActive={isActive}>
      <JoinForm
        page="landing"
        referredBy={code}
        prerendered={prerendered}
        submitLabel="SECURE YOUR SPOT"
      >
        <p className="label">{brand.copy.formNote}</p>
        <MailNote />
      </JoinForm>
    </LandingView>
  );
}
