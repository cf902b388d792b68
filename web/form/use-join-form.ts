import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { MAX_SOURCE_VALUE_LENGTH, SOURCE_QUERY_FIELDS } from '../../contract/sources.ts';
import { createJoinKeys } from '../api/join-key.ts';
import { memberStorage } from '../browser/storage.ts';
import { ownPaint } from '../light/own-paint.ts';
import type { PrerenderedState } from '../prerendered-state.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { useHydrated } from '../use-hydrated.ts';
import { createJoinFormStore, type JoinFormEnvironment } from './join-form-store.ts';

export type JoinFormOptions = {
  readonly page: JoinFormEnvironment['page'];
  readonly referredBy: string | null;
  readonly prerendered: PrerenderedState;
};

export function useJoinForm({ page, referredBy, prerendered }: JoinFormOptions) {
  const field = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const [form] = useState(() =>
    createJoinFormStore(createEnvironment(page), prerendered.formMessage),
  );
  const { isJoining, isProving, message, refusals } = useSyncExternalStore(
    form.subscribe,
    form.getState,
    form.getState,
  );

  useEffect(() => form.attach(), [form]);

  useEffect(() => {
    function onPageShow({ persisted }: PageTransitionEvent): void {
      if (persisted) form.reset();
    }
    addEventListener('pageshow', onPageShow);
    // The visitor went back before the status page had loaded, so this page was never left.
    addEventListener('popstate', form.reset);
    return () => {
      removeEventListener('pageshow', onPageShow);
      removeEventListener('popstate', form.reset);
    };
  }, [form]);

  // An effect runs when the field is enabled again; a disabled field takes no focus.
  useEffect(() => {
    if (refusals > 0) field.current?.focus();
  }, [refusals]);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { referred_by: _, ...entered } = Object.fromEntries(new FormData(event.currentTarget));
    void form.submit({ email: '', ...entered, referredBy });
  }

  return {
    isJoining,
    isProving,
    message,
    /** False until hydration: the build cannot know whether the server will fill in a message. */
    isInvalid: isHydrated && message !== '',
    /** Before hydration the browser posts a form without action to the page's own address. */
    formProps: { method: 'post', noValidate: true, onSubmit },
    referralProps: { type: 'hidden', name: 'referred_by', defaultValue: prerendered.referral },
    fieldProps: {
      ref: field,
      type: 'email',
      name: 'email',
      inputMode: 'email',
      autoComplete: 'email',
      autoCapitalize: 'none',
      spellCheck: false,
      required: true,
      defaultValue: prerendered.formValue,
      // Scrolls to a refused form where no script does.
      autoFocus: prerendered.formMessage !== '',
      disabled: isJoining,
      onInput: form.edit,
      // Some browsers scroll only the line of text into view, not the whole field.
      onFocus: showWholly,
    },
  } as const;
}

function showWholly({ currentTarget }: { currentTarget: Element }): void {
  currentTarget.scrollIntoView({ block: 'nearest' });
}

function createEnvironment(page: JoinFormEnvironment['page']): JoinFormEnvironment {
  return {
    page,
    // entry-client.tsx prefetches this chunk when the field gets the focus.
    join: async (attempt, options) => {
      const { joinWaitlist } = await import('../api/waitlist.ts');
      return joinWaitlist({ ...attempt, source: readSource() }, options);
    },
    makeKey: createJoinKeys(),
    remember: memberStorage.write,
    paint: async ({ referral_code: code = '' }) => await ownPaint.paint?.(code),
    showToast: toastStore.show,
    showStatus: (memberId) => navigate(fillPath(pagePaths.status, memberId)),
  };
}

function readSource(): string {
  const query = new URLSearchParams(location.search);
  const source = new URLSearchParams();
  function add(name: string, value: string | null | undefined): void {
    if (value && value.length <= MAX_SOURCE_VALUE_LENGTH) source.set(name, value);
  }
  for (const field of SOURCE_QUERY_FIELDS) add(field, query.get(field));
  // In "https://news.example/page" the third part is the host.
  const host = document.referrer.split('/')[2];
  if (host !== location.host) add('referring_host', host);
  return String(source);
}
