/** The text of every toast: docs/behaviour.md 2, 5 and 8. */
import { brand } from '../brand/brand.ts';
import { ApiError } from './api/api-error.ts';
import type { ToastMessage } from './ui/toast/toast-store.ts';

type FormPage = 'landing' | 'invite';

const TRY_LATER = 'Please try again later.';

function answer(title: string): ToastMessage {
  return { title, variant: 'default', urgency: 'foreground' };
}

function failure(title: string, description: string): ToastMessage {
  return { title, description, variant: 'destructive', urgency: 'foreground' };
}

function background(toast: ToastMessage): ToastMessage {
  return { ...toast, urgency: 'background' };
}

export const toasts = {
  emailRequired: failure('Email required', 'Please enter your email to join the waitlist.'),
  alreadyRegistered: failure(
    'Already registered',
    'This email is already on the waitlist. Check your email for your status link.',
  ),
  joined: answer(brand.specified.joined),
  linkCopied: answer('Link copied!'),
  copyFailed: failure('Copy failed', 'Please manually copy the link below.'),
  referralDetected: background(answer('Referral Detected!')),
  loadFailed: background(
    failure('Error loading data', 'Please refresh the page or try again later.'),
  ),
  invalidInvite: background(
    failure('Invalid invite link', "This referral code doesn't exist or has expired."),
  ),
  verificationFailed: background(
    failure('Error verifying invite', 'Please try again or use the main signup page.'),
  ),
  musicBlocked: {
    ...background(answer('Click to play music')),
    description: 'Browsers require user interaction to play audio.',
  },
} as const satisfies Record<string, ToastMessage>;

/** The landing page shows the server's detail, the invite page the call's own message, too. */
export function toastForJoinFailure(error: unknown, page: FormPage): ToastMessage {
  const answered = error instanceof ApiError && error.status !== null ? error : null;
  if (answered?.code === 'already_registered') return toasts.alreadyRegistered;
  if (page === 'landing') return toastForFailure(error);
  return failure('Signup failed', answered?.message ?? TRY_LATER);
}

export function toastForFailure(error: unknown): ToastMessage {
  const detail = error instanceof ApiError ? error.detail : null;
  return failure('Something went wrong', detail ?? TRY_LATER);
}
