export const CREDIT_STATES = ['pending', 'held', 'given', 'refused'] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

export const MEMBER_CREDITS = ['none', ...CREDIT_STATES] as const;
export type MemberCredit = (typeof MEMBER_CREDITS)[number];

export const MAIL_STATES = ['sending', 'stopped', 'bounced', 'complained'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Filters for members without a source. Real sources begin with a letter or a digit. */
export const NO_SOURCE = '(none)';

/** A friend counts once joined and, in a frozen line, confirmed; or only once confirmed. */
export const REFERRAL_CREDITS = ['settle', 'confirm'] as const;
export type ReferralCredit = (typeof REFERRAL_CREDITS)[number];
