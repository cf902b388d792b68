/** The invite page without script. The server fills in the placeholders. */
import type { ReactNode } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { brand } from '../../../brand/brand.ts';
import { PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import { EMPTY_STATE } from '../../prerendered-state.ts';
import { toasts } from '../../toasts.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { INVALID, UNVERIFIED } from './invalid-invite.tsx';
import { ValidInvite } from './valid-invite.tsx';

const FORM = {
  ...EMPTY_STATE,
  formMessage: placeholder('form-message'),
  formValue: placeholder('form-value'),
  referral: placeholder('referral'),
};

export function PlainInvite() {
  return (
    <Frame
      homePath={placeholder('home')}
      face={
        <figure className="invite-face">
          <InlineArt id="ghost" draw={() => placeholder('ghost')} />
          <figcaption className="label">
            {brand.copy.inviterFaceTitle}{' '}
            <span className="invite-code">{placeholder('invite-code')}</span>
          </figcaption>
        </figure>
      }
    >
      <ValidInvite
        inviterEmail={placeholder('inviter')}
        referral={placeholder('invite-code')}
        prerendered={FORM}
      />
    </Frame>
  );
}

export function PlainInviteInvalid() {
  return (
    <Frame homePath={pagePaths.landing()} face={<UnlitFace />}>
      <h1 className="invite-title">{INVALID}</h1>
      <p>{toasts.invalidInvite.description}</p>
      <div className="invite-actions">
        <ButtonLink href={pagePaths.landing()}>Join Regular Waitlist</ButtonLink>
      </div>
    </Frame>
  );
}

export function PlainInviteUnverified() {
  return (
    <Frame homePath={placeholder('home')} face={<UnlitFace />}>
      <h1 className="invite-title">{UNVERIFIED}</h1>
      <p>{toasts.verificationFailed.description}</p>
      <div className="invite-actions">
        <ButtonLink href={`?${PLAIN_QUERY}`}>Retry</ButtonLink>
        <ButtonLink href={placeholder('home')} variant="secondary">
          Join Regular Waitlist
        </ButtonLink>
      </div>
    </Frame>
  );
}

function UnlitFace() {
  return (
    <figure className="invite-face face-unlit">
      <InlineArt id="ghost" draw={maskSvg} />
    </figure>
  );
}

type FrameProps = { homePath: string; face: ReactNode; children: ReactNode };

function Frame({ homePath, face, children }: FrameProps) {
  return (
    <PageWithoutScript homePath={homePath}>
      <div className="stack invite">
        {face}
        <div className="stack invite-text">{children}</div>
      </div>
    </PageWithoutScript>
  );
}
