/** Binds the join form to a page: props for the form, its field and its message. The look is the page's. */
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { pagePaths } from '../../contract/paths.ts';
import { createJoinKeys } from '../api/join-key.ts';
import { memberStorage } from '../browser/storage.ts';
import type { Served } from '../served.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { createJoinForm, type JoinFormEnvironment } from './join-form.ts';

type Options = {
  readonly page: JoinFormEnvironment['page'];
  /** The code to join with; null when nobody invited. */
  readonly referredBy: string | null;
  readonly served: Served;
};

export function useJoinForm({ page, referredBy, served }: Options) {
  const field = useRef<HTMLInputElement>(null);
  const [isHydrated, setHydrated] = useState(false);
  const [form] = useState(() => createJoinForm(createEnvironment(page), served.formMessage));
  const { isJoining, isProving, message, refusals } = useSyncExternalStore(
    form.subscribe,
    form.getState,
    form.getState,
  );

  useEffect(() => {
    setHydrated(true);
    function onPageShow({ persisted }: PageTransitionEvent): void {
      if (persisted) form.reset();
    }
    addEventListener('pageshow', onPageShow);
    return () => {
      removeEventListener('pageshow', onPageShow);
      form.leave();
    };
  }, [form]);

  // After the field is enabled again: a disabled one takes no focus.
  useEffect(() => {
    if (refusals > 0) field.current?.focus();
  }, [refusals]);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void form.submit({ email: field.current?.value ?? '', referredBy });
  }

  return {
    isJoining,
    isProving,
    /** Stands under the field, in an element with the attribute `data-form-message`: there the server writes it, too. */
    message,
    /** For `aria-invalid`. The served page cannot know whether it will carry a message, so this waits for hydration. */
    isInvalid: isHydrated && message !== '',
    /** No action: before hydration the browser posts to the address it is at, and the server answers with a page. */
    formProps: { method: 'post', noValidate: true, onSubmit },
    referralProps: { type: 'hidden', name: 'referred_by', defaultValue: served.referral },
    fieldProps: {
      ref: field,
      type: 'email',
      name: 'email',
      inputMode: 'email',
      autoComplete: 'email',
      autoCapitalize: 'none',
      spellCheck: false,
      required: true,
      defaultValue: served.formValue,
      disabled: isJoining,
      onInput: form.edit,
    },
    focusField: () => field.current?.focus(),
  } as const;
}

function createEnvironment(page: JoinFormEnvironment['page']): JoinFormEnvironment {
  return {
    page,
    // Fetched when the field is first entered (see hydrate.tsx): nobody joins before that.
    join: async (...attempt) => (await import('../api/waitlist.ts')).joinWaitlist(...attempt),
    makeKey: createJoinKeys(),
    remember: memberStorage.write,
    showToast: toastStore.show,
    showStatus: (memberId) => navigate(pagePaths.status(memberId)),
  };
}
