/** Every sentence that a toast says: SPEC 2, 5 and 8. */
import { brand } from '../brand/brand.ts';
import { ApiError } from './api/api-error.ts';
import type { ToastMessage } from './ui/toast/toast-store.ts';

type FormPage = 'landing' | 'invite';

const TRY_LATER = 'Please try again later.';

function answer(title: string, description?: string): ToastMessage {
  return { title, variant: 'default', urgency: 'foreground', ...(description === undefined ? {} : { description }) };
}

function failure(title: string, description: string): ToastMessage {
  return { title, description, variant: 'destructive', urgency: 'foreground' };
}

function news(toast: ToastMessage): ToastMessage {
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
  referralDetected: news(answer('Referral Detected!')),
  loadFailed: news(failure('Error loading data', 'Please refresh the page or try again later.')),
  invalidInvite: news(failure('Invalid invite link', "This referral code doesn't exist or has expired.")),
  verificationFailed: news(failure('Error verifying invite', 'Please try again or use the main signup page.')),
  musicBlocked: news(answer('Click to play music', 'Browsers require user interaction to play audio.')),
} as const satisfies Record<string, ToastMessage>;

/**
 * SPEC 8. The landing page passes on what the server said or asks to try later; the invite page passes on the call's
 * message, which has a fallback of its own, and asks to try later when no answer came.
 */
export function toastForJoinFailure(error: unknown, page: FormPage): ToastMessage {
  const { status, detail, message } = error instanceof ApiError ? error : { status: null, detail: null, message: '' };
  if (message.includes('already registered')) return toasts.alreadyRegistered;
  if (page === 'landing') return failure('Something went wrong', detail ?? TRY_LATER);
  return failure('Signup failed', status === null ? TRY_LATER : message);
}
