/** The commands of `./waitlist`. Those that need more than the server are loaded when they run. */
import type { ResumedMail } from '../../contract/operator/mails.ts';
import type { Counts } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Commands } from '../command-line/command.ts';
import { completionScript, SHELLS } from '../command-line/completion.ts';
import { print } from '../command-line/output.ts';
import { completionOfVerbs, runVerb, usageOfVerbs } from '../command-line/verbs.ts';
import { accessCommands } from './access/access-commands.ts';
import { callOperator } from './call-operator.ts';
import { campaignVerbs } from './campaigns/campaign.ts';
import {
  CHANGE_OPTIONS,
  maskChangeCommands,
  memberChangeCommands,
} from './changes/change-commands.ts';
import { importVerbs, runImports } from './changes/imports.ts';
import { creditVerbs, runCredits } from './credits/credits.ts';
import { dropVerbs, runDrop } from './drop/drop.ts';
import { HAND_OVER_OPTIONS } from './drop/hand-over.ts';
import { OFFER_OPTIONS } from './drop/offers.ts';
import { SCHEDULE_OPTIONS } from './drop/schedule.ts';
import { showJoining } from './figures/joining.ts';
import { showOverview } from './figures/overview.ts';
import { listMails, MAIL_LISTS, sendTestMail } from './mails.ts';
import { showAllocations, showSizes } from './masks.ts';
import { exportLine } from './members/export-line.ts';
import { findMembers } from './members/find-members.ts';
import { listMembers } from './members/list-members.ts';
import { FILTER_OPTIONS } from './members/member-filter.ts';
import { addNote, showFriends, showMember } from './members/show-member.ts';
import { rewardVerbs, runRewards } from './rewards/rewards.ts';
import { renderTable } from './table.ts';
import { runWebhooks, webhookVerbs } from './webhooks/run-webhooks.ts';

export const commands: Commands = {
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
  overview: {
    usage: '',
    about: 'The main figures of the last 30 days: visits, joins, invites, mail, backup.',
    words: 0,
    options: ['json'],
    run: showOverview,
  },
  find: {
    usage: '<id|address|code>',
    about: 'Finds a member by id, e-mail address or referral code.',
    words: 1,
    options: ['json'],
    run: findMembers,
  },
  show: {
    usage: '<id|address|code>',
    about: 'A member and why they stand where they do: friends, mails, notes, changes.',
    words: 1,
    options: ['json'],
    run: showMember,
  },
  friends: {
    usage: '<id|address|code> [--after <entry>]',
    about: 'The friends that a member brought, in order of joining, a page at a time.',
    words: 1,
    options: ['after', 'json'],
    run: showFriends,
  },
  note: {
    usage: '<id|address|code> "<text>"',
    about: 'Adds a note about a member. It is part of the data that they may ask for.',
    words: 2,
    options: ['json'],
    run: addNote,
  },
  members: {
    usage: '[--text "<text>"] [--sort position|joined|referrals] ...',
    about: 'Lists the members that match all given options, a page at a time.',
    words: 0,
    options: [...FILTER_OPTIONS, 'sort', 'order', 'after', 'json'],
    run: listMembers,
  },
  export: {
    usage: '[--format csv|json|jsonl] [--output <file>] ...',
    about:
      'Writes the members that match all given options, or all, in order of position: to the ' +
      'terminal or to a file only you can read.',
    words: 0,
    options: ['format', 'output', ...FILTER_OPTIONS],
    run: exportLine,
  },
  joining: {
    usage: '',
    about: 'Whether joining is paused, and what visitors are told.',
    words: 0,
    options: ['json'],
    run: showJoining,
  },
  ...memberChangeCommands,
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
  'test-mail': {
    usage: '<address>',
    about: 'Sends a mail to the address, and says what the mail server answers.',
    words: 1,
    options: ['json'],
    run: sendTestMail,
  },
  mails: {
    usage: 'waiting|failed|suppressed [--after <entry>]',
    about: 'Mails that wait, mails that never arrived, or addresses that get none.',
    words: 1,
    completes: [MAIL_LISTS],
    options: ['after', 'json'],
    run: listMails,
  },
  webhooks: {
    usage: `[${usageOfVerbs(webhookVerbs)}]`,
    about:
      'Lists webhooks, or changes one. <events>: all, or kinds such as member.joined,member.left.',
    words: 0,
    optionalWords: 4,
    completes: completionOfVerbs(webhookVerbs),
    options: ['reason', 'after', 'json'],
    run: runWebhooks,
  },
  campaign: {
    usage: usageOfVerbs(campaignVerbs),
    about:
      'A mail in Markdown, with --subject, to the members that match all given options, or to ' +
      'the whole line. A test needs --to.',
    words: 1,
    optionalWords: 1,
    completes: completionOfVerbs(campaignVerbs),
    options: ['subject', 'to', 'after', ...FILTER_OPTIONS, ...CHANGE_OPTIONS],
    run: (config, words, options) => runVerb('campaign', campaignVerbs, { config, words, options }),
  },
  credits: {
    usage: `[${usageOfVerbs(creditVerbs)}]`,
    about:
      'Lists the codes with held credits, or decides: about one friend, all held credits of a ' +
      'code, all that a rule found, all from one network.',
    words: 0,
    optionalWords: 2,
    completes: completionOfVerbs(creditVerbs),
    options: ['rule', 'second-look', 'after', ...CHANGE_OPTIONS],
    run: runCredits,
  },
  drop: {
    usage: `[${usageOfVerbs(dropVerbs)}]`,
    about:
      'Shows the drop of launch day, or takes its next step: freeze the first members, announce ' +
      'the draw, select, offer, close; with --when, at a time. Or imports codes of the shop, ' +
      'changes passes, publishes the times, writes files for the shop, and compares its orders.',
    words: 0,
    optionalWords: 3,
    completes: completionOfVerbs(dropVerbs),
    options: [
      'pause',
      'masks',
      'at',
      'seed',
      'signature',
      'relay',
      ...OFFER_OPTIONS,
      ...HAND_OVER_OPTIONS,
      ...SCHEDULE_OPTIONS,
      ...CHANGE_OPTIONS,
    ],
    run: runDrop,
  },
  rewards: {
    usage: `[${usageOfVerbs(rewardVerbs)}]`,
    about:
      'Lists the tiers with the rewards that are owed, asked for, answered and sent, and what ' +
      'they cost; or the members of a tier; asks where to send rewards; marks them as sent; sets ' +
      'the budget of a tier.',
    words: 0,
    optionalWords: 4,
    completes: [Object.keys(rewardVerbs)],
    options: ['state', 'after', 'output', ...CHANGE_OPTIONS],
    run: runRewards,
  },
  sizes: {
    usage: '',
    about: 'Stock, allocated and available masks per size.',
    words: 0,
    options: ['json'],
    run: showSizes,
  },
  allocations: {
    usage: '',
    about: 'Masks set aside: for whom, when, and whether they are released.',
    words: 0,
    options: ['json'],
    run: showAllocations,
  },
  ...accessCommands,
  import: {
    usage: '<file> --may-mail --reason "<why>" [--dry-run] [--map <field>=<column>,...]',
    about:
      'Imports an existing list from a CSV file; with --dry-run reports duplicates and faults.',
    words: 1,
    options: [
      'dry-run',
      'map',
      'import-order',
      'dates',
      'may-mail',
      'confirmed',
      'welcome',
      ...CHANGE_OPTIONS,
    ],
    run: async (...call) => (await import('./changes/import-list.ts')).importList(...call),
  },
  imports: {
    usage: `[${usageOfVerbs(importVerbs)}]`,
    about: 'Lists the imports of the last day, or deletes the file of one.',
    words: 0,
    optionalWords: 2,
    completes: completionOfVerbs(importVerbs),
    options: ['json'],
    run: runImports,
  },
  ...maskChangeCommands,
  verify: {
    usage: '[--audit-head <number>:<hash>]',
    about:
      'Recomputes every position, point and count, and the audit log; exit code 1 if any ' +
      'differs. With or without a server.',
    words: 0,
    options: ['audit-head', 'json'],
    run: async (...call) => (await import('./verify.ts')).verify(...call),
  },
  backup: {
    usage: '[file] [--keep <number>]',
    about: 'Writes the whole waitlist to one file, with or without a server.',
    words: 0,
    optionalWords: 1,
    options: ['keep'],
    run: async (...call) => (await import('./backup.ts')).backUp(...call),
  },
  restore: {
    usage: '<file>',
    about: 'Fills an empty data folder, or the empty database of DATABASE_URL, from a backup.',
    words: 1,
    options: [],
    run: async (config, words) => (await import('./restore.ts')).restore(config, words),
  },
  migrate: {
    usage: '',
    about:
      'Brings the schema up to date, as the user of DATABASE_URL: for servers that may not do so.',
    words: 0,
    options: [],
    run: async (config) => (await import('./migrate.ts')).migrate(config),
  },
  completion: {
    usage: 'bash|zsh',
    about: 'Prints a script that completes commands, options and sizes. Its first line says how.',
    words: 1,
    completes: [SHELLS],
    options: [],
    run: async (_config, [shell = '']) => console.log(completionScript(shell)),
  },
};
