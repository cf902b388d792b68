/** What the server, its description and the command line know of each call of an operator. */
import { accessCalls } from './calls/access.ts';
import type { CallDescriptions } from './calls/call.ts';
import { dropCalls } from './calls/drop.ts';
import { lineCalls } from './calls/line.ts';
import { mailCalls } from './calls/mail.ts';

export const operatorCalls = {
  ...lineCalls,
  ...dropCalls,
  ...mailCalls,
  ...accessCalls,
} as const satisfies CallDescriptions;

export type OperatorCall = keyof typeof operatorCalls;
