/** What a join form does between a press of the button and the status page, without React. */
import type { JoinedMember } from '../api/answer-shapes.ts';
import type { JoinAttempt } from '../api/waitlist.ts';
import { toastForJoinFailure, toasts } from '../toasts.ts';
import type { ToastMessage } from '../ui/toast/toast-store.ts';

type JoinFormState = {
  readonly isJoining: boolean;
  /** While joining: the browser does the work that the server asks for when risk is raised. */
  readonly isProving: boolean;
  /** Stands under the field until the next edit; empty when there is nothing to say. */
  readonly message: string;
  /** Grows with every refusal: each one moves the focus back to the field. */
  readonly refusals: number;
};

export type JoinFormEnvironment = {
  readonly page: 'landing' | 'invite';
  readonly join: (attempt: JoinAttempt, options: { onProof: () => void }) => Promise<JoinedMember>;
  readonly makeKey: (body: Pick<JoinAttempt, 'email' | 'referredBy'>) => string;
  readonly remember: (member: JoinedMember) => void;
  readonly showToast: (toast: ToastMessage) => void;
  readonly showStatus: (memberId: string) => void;
};

export type JoinForm = {
  submit(entry: { email: string; referredBy: string | null }): Promise<void>;
  edit(): void;
  /** Back to idle: for a page that the browser brought back as it was left. */
  reset(): void;
  /** The page is gone: what comes back later is kept, but moves nothing. */
  leave(): void;
  getState(): JoinFormState;
  subscribe(listener: () => void): () => void;
};

/** `servedMessage` is why a native post of the form was turned down. */
export function createJoinForm(environment: JoinFormEnvironment, servedMessage: string): JoinForm {
  const listeners = new Set<() => void>();
  let isLeft = false;
  let state: JoinFormState = { isJoining: false, isProving: false, message: servedMessage, refusals: 0 };

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
    async submit({ email: typed, referredBy }) {
      if (state.isJoining) return;
      const email = typed.trim();
      if (email === '') return refuse(toasts.emailRequired);
      change({ isJoining: true, message: '' });
      const body = { email, referredBy };
      try {
        const attempt = { ...body, idempotencyKey: environment.makeKey(body) };
        const member = await environment.join(attempt, { onProof: () => change({ isProving: true }) });
        environment.remember(member);
        if (isLeft) return;
        environment.showToast(toasts.joined);
        environment.showStatus(member.id);
      } catch (error) {
        if (!isLeft) refuse(toastForJoinFailure(error, environment.page));
      }
    },
    edit() {
      if (state.message !== '') change({ message: '' });
    },
    reset() {
      if (state.isJoining) change({ isJoining: false, isProving: false });
    },
    leave() {
      isLeft = true;
    },
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
