/** The options that say which members are meant. */
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { OPTIONS, type Options, UsageError } from '../../command-line/command.ts';

export const FILTER_OPTIONS = [
  'text',
  'tier',
  'source',
  'credit',
  'joined-from',
  'joined-to',
  'confirmed',
  'mail',
] as const;

/** Throws UsageError for a value that an option does not know; the server checks the others. */
export function readFilterOptions(options: Options): MemberFilter {
  const { text, tier, source, confirmed } = options;
  const [from, to] = [options['joined-from'], options['joined-to']];
  if (tier !== undefined && !/^\d{1,3}$/.test(tier)) throw new UsageError('--tier is a number.');
  const credit = oneOf('credit', options.credit);
  const mail = oneOf('mail', options.mail);
  const isConfirmed = oneOf('confirmed', confirmed);
  return {
    ...(text !== undefined && { text }),
    ...(tier !== undefined && { tier: Number(tier) }),
    ...(source !== undefined && { source }),
    ...(credit !== undefined && { credit }),
    ...(from !== undefined && { joined_from: from }),
    ...(to !== undefined && { joined_to: to }),
    ...(isConfirmed !== undefined && { confirmed: isConfirmed === 'yes' }),
    ...(mail !== undefined && { mail }),
  };
}

type Choice = 'credit' | 'mail' | 'confirmed' | 'sort' | 'order' | 'format' | 'state';

/** The value as one of those that the option knows. Throws UsageError. */
export function oneOf<Name extends Choice>(
  name: Name,
  value: string | undefined,
): (typeof OPTIONS)[Name]['values'][number] | undefined {
  const { values } = OPTIONS[name];
  if (value === undefined) return undefined;
  const known = values.find((one) => one === value);
  if (known === undefined) {
    const others = values.slice(0, -1).join(', ');
    throw new UsageError(`--${name} is ${others} or ${values.at(-1)}.`);
  }
  return known;
}
