/** The commands of `npm run waitlist`. */
import type {
  Allocation,
  Allocations,
  Counts,
  MaskSize,
  MaskSizes,
  ResumedMail,
} from '../../contract/operator.ts';
import { fillPath, operatorPaths } from '../../contract/operator.ts';
import type { Config } from '../../server/config.ts';
import { callOperator, UsageError } from './call-operator.ts';
import { exportLine } from './export-line.ts';
import { findMembers, removeMember } from './members.ts';
import { renderTable } from './table.ts';

export type Options = {
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly format?: string | undefined;
  readonly output?: string | undefined;
  readonly note?: string | undefined;
};

type Run = (config: Config, words: readonly string[], options: Options) => Promise<void>;

export type Command = {
  /** Its arguments and options, for the help. */
  readonly usage: string;
  readonly about: string;
  /** How many arguments it takes. */
  readonly words: number;
  readonly options: readonly (keyof Options)[];
  readonly run: Run;
};

export const commands: Readonly<Record<string, Command>> = {
  counts: {
    usage: '',
    about: 'Members in line, masks remaining, top referrer.',
    words: 0,
    options: ['json'],
    run: async (config, _words, { json }) => {
      const counts = await callOperator<Counts>(config, { path: operatorPaths.counts });
      const { members, available_masks, best_referral_count } = counts;
      const rows = [
        ['Members', members],
        ['Masks remaining', available_masks],
        ['Top referrer', best_referral_count],
      ] as const;
      print(json, counts, () => renderTable(['What', 'Count'], rows));
    },
  },
  find: {
    usage: '<id|address|code>',
    about: 'Finds a member by id, e-mail address or referral code.',
    words: 1,
    options: ['json'],
    run: findMembers,
  },
  export: {
    usage: '--format csv|json [--output <file>]',
    about:
      'Writes all members in order of position, to the terminal or to a file only you can read.',
    words: 0,
    options: ['format', 'output'],
    run: exportLine,
  },
  remove: {
    usage: '<id|address|code> [--yes]',
    about: 'Removes a member and the credit they gave. Asks for confirmation, unless --yes.',
    words: 1,
    options: ['yes'],
    run: removeMember,
  },
  'resume-mail': {
    usage: '<address>',
    about: 'Sends mail again to an address that unsubscribed, bounced or complained. Ask first.',
    words: 1,
    options: ['json'],
    run: async (config, [email = ''], { json }) => {
      const resumed = await callOperator<ResumedMail>(config, {
        method: 'POST',
        path: operatorPaths.resumeMail,
        body: { email },
      });
      const was =
        resumed.reason === null
          ? 'It was not suppressed before.'
          : `It was suppressed: ${resumed.reason}.`;
      print(json, resumed, () => `Mail to ${email} is on. ${was}`);
    },
  },
  sizes: {
    usage: '',
    about: 'Stock, allocated and available masks per size.',
    words: 0,
    options: ['json'],
    run: async (config, _words, { json }) => {
      const { sizes } = await callOperator<MaskSizes>(config, { path: operatorPaths.sizes });
      print(json, sizes, () => renderSizes(sizes));
    },
  },
  stock: {
    usage: '<size> <pieces>',
    about: 'Sets how many masks of a size exist.',
    words: 2,
    options: ['json'],
    run: async (config, [size = '', pieces = ''], { json }) => {
      const path = fillPath(operatorPaths.size, size);
      const body = { stock: readCount(pieces) };
      const changed = await callOperator<MaskSize>(config, { method: 'PUT', path, body });
      print(json, changed, () => renderSizes([changed]));
    },
  },
  allocations: {
    usage: '',
    about: 'Masks set aside: for whom, when, and whether they are released.',
    words: 0,
    options: ['json'],
    run: async (config, _words, { json }) => {
      const { allocations } = await callOperator<Allocations>(config, {
        path: operatorPaths.allocations,
      });
      print(json, allocations, () => renderAllocations(allocations));
    },
  },
  allocate: {
    usage: '<size> <quantity> --note "<for whom, or why>"',
    about: 'Sets masks aside: the site then shows fewer remaining.',
    words: 2,
    options: ['note', 'json'],
    run: async (config, [size = '', quantity = ''], { note, json }) => {
      const body = { size, quantity: readCount(quantity), note: readNote(note) };
      const made = await callOperator<Allocation>(config, {
        method: 'POST',
        path: operatorPaths.allocations,
        body,
      });
      print(json, made, () => renderAllocations([made]));
    },
  },
  release: {
    usage: '<allocation id> --note "<why>"',
    about: 'Returns masks that were set aside to the stock.',
    words: 1,
    options: ['note', 'json'],
    run: async (config, [allocationId = ''], { note, json }) => {
      const path = fillPath(operatorPaths.release, allocationId);
      const released = await callOperator<Allocation>(config, {
        method: 'POST',
        path,
        body: { note: readNote(note) },
      });
      print(json, released, () => renderAllocations([released]));
    },
  },
};

function print(isJson: boolean | undefined, value: unknown, render: () => string): void {
  console.log(isJson ? JSON.stringify(value, null, 2) : render());
}

function renderSizes(sizes: readonly MaskSize[]): string {
  const rows = sizes.map(({ name, stock, allocated, available }) => [
    name,
    stock,
    allocated,
    available,
  ]);
  return renderTable(['Size', 'Stock', 'Allocated', 'Available'], rows);
}

function renderAllocations(allocations: readonly Allocation[]): string {
  const rows = allocations.map(
    ({ id, size, quantity, allocated_at, note, released_at, release_note }) => [
      id,
      size,
      quantity,
      allocated_at,
      note,
      released_at === null ? '' : `${released_at} (${release_note ?? ''})`,
    ],
  );
  return renderTable(['Id', 'Size', 'Quantity', 'Allocated', 'Note', 'Released'], rows);
}

function readCount(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new UsageError(`${text} is not a whole number.`);
}

function readNote(note: string | undefined): string {
  if (note?.trim()) return note;
  throw new UsageError('Add --note "...": for whom, or why.');
}
