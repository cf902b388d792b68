/**
 * What the server writes into the prerendered pages, per request. The first client render must say the same, so it is
 * read from the document before hydration.
 */
export type Served = {
  /** Why a native form post was turned down; empty when there is nothing to say. */
  readonly formMessage: string;
  /** The address as typed in that post. */
  readonly formValue: string;
  /** The referral code that the native form posts. */
  readonly referral: string;
};

/** For pages that are reached by navigation within the site. */
export const NOTHING_SERVED: Served = { formMessage: '', formValue: '', referral: '' };

/** What marks the places in the HTML: the form's fields by name, its message by this attribute. */
const MESSAGE_SELECTOR = '[data-form-message]';

export function readServed(root: ParentNode): Served {
  const attributeOf = (name: string) => root.querySelector(`input[name="${name}"]`)?.getAttribute('value') ?? '';
  return {
    formMessage: root.querySelector(MESSAGE_SELECTOR)?.textContent ?? '',
    formValue: attributeOf('email'),
    referral: attributeOf('referred_by'),
  };
}
