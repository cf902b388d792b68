import type { JoinEntry } from '../../contract/schemas.ts';
import type { JoinedMember } from '../api/answer-shapes.ts';
import type { JoinAttempt } from '../api/waitlist.ts';
import { toastForJoinFailure, toasts } from '../toasts.ts';
import type { ToastMessage } from '../ui/toast/toast-store.ts';

type JoinFormState = {
  readonly isJoining: boolean;
  readonly isProving: boolean;
  readonly message: string;
  /** Number of refusals. Each one moves the focus back to the field. */
  readonly refusals: number;
};

export type JoinFormEnvironment = {
  readonly page: 'landing' | 'invite';
  readonly join: (attempt: JoinAttempt, options: { onProof: () => void }) => Promise<JoinedMember>;
  readonly makeKey: (entry: JoinEntry) => string;
  readonly remember: (member: JoinedMember) => void;
  /** Resolves when the page has shown the new member their paint. */
  readonly paint: (member: JoinedMember) => Promise<void>;
  readonly showToast: (toast: ToastMessage) => void;
  readonly showStatus: (memberId: string) => void;
};

export function createJoinFormStore(environment: JoinFormEnvironment, initialMessage: string) {
  const listeners = new Set<() => void>();
  let isAttached = false;
  let state: JoinFormState = {
    isJoining: false,
    isProving: false,
    message: initialMessage,
    refusals: 0,
  };

  function change(next: Partial<JoinFormState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  function refuse(toast: ToastMessage): void {
    const message = toast.description ?? toast.title;
    change({ isJoining: false, isProving: false, message, refusals: state.refusals + 1 });
    environment.showToast(toast);
  }

  return {
    async submit(typed: JoinEntry) {
      if (state.isJoining) return;
      const entry = { ...typed, email: typed.email.trim() };
      if (entry.email === '') return refuse(toasts.emailRequired);
      change({ isJoining: true, message: '' });
      try {
        const attempt = { ...entry, idempotencyKey: environment.makeKey(entry) };
        const member = await environment.join(attempt, {
          onProof: () => change({ isProving: true }),
        });
        environment.remember(member);
        await environment.paint(member);
        if (!isAttached) return;
        environment.showToast(toasts.joined);
        environment.showStatus(member.id);
      } catch (error) {
        if (isAttached) refuse(toastForJoinFailure(error, environment.page));
      }
    },
    edit(): void {
      if (state.message !== '') change({ message: '' });
    },
    reset(): void {
      if (state.isJoining) change({ isJoining: false, isProving: false });
    },
    /**
     * A late answer after the returned function is called is stored, but neither shown nor
     * followed.
     */
    attach() {
      isAttached = true;
      return () => {
        isAttached = false;
      };
    },
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
