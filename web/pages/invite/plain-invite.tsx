/** The invite page without script. The server fills in the placeholders. */
import type { ReactNode } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { brand } from '../../../brand/brand.ts';
import { PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import type { PlainInvitePageName } from '../../../contract/plain-invite.ts';
import { EMPTY_STATE } from '../../prerendered-state.ts';
import { toasts } from '../../toasts.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';
import type { ToastMessage } from '../../ui/toast/toast-store.ts';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { INVALID, UNVERIFIED } from './invalid-invite.tsx';
import { ValidInvite } from './valid-invite.tsx';

const FORM = {
  ...EMPTY_STATE,
  formMessage: placeholder('form-message'),
  formValue: placeholder('form-value'),
  referral: placeholder('referral'),
};

const RETRY = <ButtonLink href={`?${PLAIN_QUERY}`}>Retry</ButtonLink>;

export const plainInvitePages: Readonly<Record<PlainInvitePageName, ReactNode>> = {
  'plain-invite': inFrame(
    placeholder('home'),
    <figure className="invite-face">
      <InlineArt id="ghost" draw={() => placeholder('ghost')} />
      <figcaption className="label">
        {brand.copy.inviterFaceTitle}{' '}
        <span className="invite-code">{placeholder('invite-code')}</span>
      </figcaption>
    </figure>,
    <ValidInvite
      inviterEmail={placeholder('inviter')}
      referral={placeholder('invite-code')}
      prerendered={FORM}
    />,
  ),
  'plain-invite-invalid': failed(pagePaths.landing, INVALID, toasts.invalidInvite),
  'plain-invite-unverified': failed(
    placeholder('home'),
    UNVERIFIED,
    toasts.verificationFailed,
    RETRY,
  ),
};

function failed(home: string, title: string, reason: ToastMessage, retry?: ReactNode) {
  return inFrame(
    home,
    <figure className="invite-face face-unlit">
      <InlineArt id="ghost" draw={maskSvg} />
    </figure>,
    <>
      <h1 className="invite-title">{title}</h1>
      <p>{reason.description}</p>
      <div className="invite-actions">
        {retry}
        <ButtonLink href={home} variant={retry ? 'secondary' : 'primary'}>
          Join Regular Waitlist
        </ButtonLink>
      </div>
    </>,
  );
}

function inFrame(home: string, face: ReactNode, text: ReactNode) {
  return (
    <PageWithoutScript homePath={home}>
      <div className="stack invite">
        {face}
        <div className="stack invite-text">{text}</div>
      </div>
    </PageWithoutScript>
  );
}
