/** Values that the server filled into the served page. The first render must match it. */
import { readArt } from './ui/inline-art.tsx';

export type PrerenderedState = {
  readonly formMessage: string;
  readonly formValue: string;
  readonly referral: string;
  readonly isReferralValid: boolean;
  readonly art: Readonly<Record<string, string>>;
};

export const EMPTY_STATE: PrerenderedState = {
  formMessage: '',
  formValue: '',
  referral: '',
  isReferralValid: false,
  art: {},
};

/** `param`: the member id of the status page, the referral code of the invite page, or empty. */
export type PageProps = { readonly param: string; readonly prerendered: PrerenderedState };

export function readPrerenderedState(root: ParentNode): PrerenderedState {
  const valueOfInput = (name: string) =>
    root.querySelector(`input[name="${name}"]`)?.getAttribute('value') ?? '';
  return {
    formMessage: root.querySelector('[data-form-message]')?.textContent ?? '',
    formValue: valueOfInput('email'),
    referral: valueOfInput('referred_by'),
    isReferralValid: root.querySelector('.banner-charged') !== null,
    art: readArt(root),
  };
}

/** A reload would end the toast in view, so the page of the address is fetched. */
export async function fetchPrerenderedState(): Promise<PrerenderedState> {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error('The server does not send the page.');
  const html = await answer.text();
  return readPrerenderedState(new DOMParser().parseFromString(html, 'text/html'));
}
