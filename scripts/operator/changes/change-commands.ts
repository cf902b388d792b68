/** The commands of `./waitlist` that change something, and those about changes. */
import type { Commands } from '../../command-line/command.ts';
import { FILTER_OPTIONS } from '../members/member-filter.ts';
import { listChanges } from './list-changes.ts';
import { makeChange, undoChange } from './make-change.ts';
import { adjustPoints, correctAddress, eraseMember, removeMembers, resendLink } from './members.ts';
import { allocateMasks, releaseMasks, removeSize, renameSize, setStock } from './sizes.ts';

/** The options of every command that makes a change. */
export const CHANGE_OPTIONS = ['reason', 'preview', 'json'] as const;

export const memberChangeCommands: Commands = {
  remove: {
    usage: '<id|address|code> | --credit held ... --reason "<why>"',
    about: 'Removes a member, or all that match all given options, with the credits they gave.',
    words: 0,
    optionalWords: 1,
    options: [...FILTER_OPTIONS, ...CHANGE_OPTIONS],
    run: removeMembers,
  },
  erase: {
    usage: '<id|address|code> [--yes]',
    about: 'Removes a member for good, at their request, also one who was removed before.',
    words: 1,
    options: ['yes', ...CHANGE_OPTIONS],
    run: eraseMember,
  },
  'adjust-points': {
    usage: '<id|address|code> add|take <points>',
    about: 'Gives points to a member, or takes some. Two points are worth one friend.',
    words: 3,
    options: CHANGE_OPTIONS,
    run: adjustPoints,
  },
  'correct-address': {
    usage: '<id|address|code> <new address>',
    about: 'Gives a member another e-mail address, which must be confirmed again.',
    words: 2,
    options: CHANGE_OPTIONS,
    run: correctAddress,
  },
  'resend-link': {
    usage: '<id|address|code>',
    about: 'Mails a member the link to their status again.',
    words: 1,
    options: CHANGE_OPTIONS,
    run: resendLink,
  },
  pause: {
    usage: '"<message>"',
    about: 'Pauses joining, on all servers. Visitors are told the message.',
    words: 1,
    options: CHANGE_OPTIONS,
    run: async (config, [message = ''], options) =>
      makeChange(config, { kind: 'pause-joining', input: { message } }, options),
  },
  reopen: {
    usage: '',
    about: 'Lets everybody join again.',
    words: 0,
    options: CHANGE_OPTIONS,
    run: async (config, _words, options) =>
      makeChange(config, { kind: 'reopen-joining', input: {} }, options),
  },
  changes: {
    usage: '[--after <number>]',
    about: 'What operators did, newest first, and what can still be undone.',
    words: 0,
    options: ['after', 'json'],
    run: listChanges,
  },
  undo: {
    usage: '<number> --reason "<why>"',
    about: 'Undoes a change of the last 24 hours, by its number.',
    words: 1,
    options: ['reason', 'json'],
    run: undoChange,
  },
};

export const maskChangeCommands: Commands = {
  stock: {
    usage: '<size> <pieces> --reason "<why>"',
    about: 'Sets how many masks of a size exist. All sizes together hold what the site promises.',
    words: 2,
    completes: ['size'],
    options: CHANGE_OPTIONS,
    run: setStock,
  },
  'rename-size': {
    usage: '<size> <new name> --reason "<why>"',
    about: 'Gives a size another name, with its stock and allocations. Change brand.ts too.',
    words: 2,
    completes: ['size'],
    options: CHANGE_OPTIONS,
    run: renameSize,
  },
  'remove-size': {
    usage: '<size> --reason "<why>"',
    about: 'Removes a size that is no longer in brand.ts. Its allocations must be released.',
    words: 1,
    completes: ['size'],
    options: CHANGE_OPTIONS,
    run: removeSize,
  },
  allocate: {
    usage: '<size> <quantity> --note "<for whom, or why>"',
    about: 'Sets masks aside: the site then shows fewer remaining.',
    words: 2,
    completes: ['size'],
    options: ['note', ...CHANGE_OPTIONS],
    run: allocateMasks,
  },
  release: {
    usage: '<allocation id> --note "<why>"',
    about: 'Returns masks that were set aside to the stock.',
    words: 1,
    options: ['note', ...CHANGE_OPTIONS],
    run: releaseMasks,
  },
};
