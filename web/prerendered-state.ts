/** What the server filled into the prerendered page. The first client render must match it. */
import { readArt } from './ui/inline-art.tsx';

export type PrerenderedState = {
  /** Why a native form post was refused; empty if it was not. */
  readonly formMessage: string;
  /** The address as typed in that post. */
  readonly formValue: string;
  /** The referral code that the native form posts. */
  readonly referral: string;
  /** The server found that the code is a member's. */
  readonly isReferralValid: boolean;
  /** Inline SVG by element id. */
  readonly art: Readonly<Record<string, string>>;
};

/** For pages reached without a new document. */
export const EMPTY_STATE: PrerenderedState = {
  formMessage: '',
  formValue: '',
  referral: '',
  isReferralValid: false,
  art: {},
};

/** `param`: the member id of the status page, the referral code of the invite page, or empty. */
export type PageProps = { readonly param: string; readonly prerendered: PrerenderedState };

/** `root`: the served page, before hydration. */
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

/** Reads the page of the current address from the server: a reload would end the toast in view. */
export async function fetchPrerenderedState(): Promise<PrerenderedState> {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error('The server does not send the page.');
  const html = await answer.text();
  return readPrerenderedState(new DOMParser().parseFromString(html, 'text/html'));
}
