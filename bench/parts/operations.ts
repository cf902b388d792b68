/** What is measured, floors first. */
export const OPERATIONS = [
  'constant route',
  'bare SELECT route',
  'bare INSERT route',
  'many-row INSERT',
  'status read',
  'join',
  'join, one hot inviter',
  'stats',
  'verify-referral',
] as const;
export type Operation = (typeof OPERATIONS)[number];
