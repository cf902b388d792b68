/** Commands that need more than the server are loaded when they run. */
import type { Commands } from '../command-line/command.ts';
import { completionScript, SHELLS } from '../command-line/completion.ts';
import { accessCommands } from './access.ts';
import { change, changesCommands } from './changes.ts';
import { dropCommand } from './drop.ts';
import { creditsCommand, firstCommand } from './fairness.ts';
import { importCommands } from './imports.ts';
import { mailCommands } from './mail.ts';
import { memberCommands } from './members.ts';
import { campaignCommand } from './notifications.ts';
import { overviewCommands } from './overview.ts';
import { rewardsCommand } from './rewards.ts';
import { stockCommands } from './stock.ts';
import { webhooksCommand } from './webhooks.ts';

const databaseCommands: Commands = {
  verify: {
    about:
      'Recomputes every position, point and count, and the audit log; exit code 1 if any ' +
      'differs. With or without a server.',
    options: ['audit-head', 'json'],
    run: async (call) => (await import('./database.ts')).verify(call),
  },
  backup: {
    usage: '[file]',
    about: 'Writes the whole waitlist to one file, with or without a server.',
    options: ['keep'],
    run: async (call) => (await import('./backup.ts')).backUp(call),
  },
  restore: {
    usage: '<file>',
    about:
      'Fills an empty data folder or database of DATABASE_URL from a backup. What it ' +
      'fills may be a copy, so nothing leaves it until an owner says that it is the line.',
    options: ['this-is-the-line'],
    run: async (call) => (await import('./database.ts')).restore(call),
  },
  'this-is-the-line': change('this-is-the-line', {
    about: 'Lets a line that may be a copy act again: its mail, webhooks, offers and till.',
  }),
  migrate: {
    about:
      'Brings the schema up to date, as the user of DATABASE_URL: for servers that may not do so.',
    run: async (call) => (await import('./database.ts')).migrate(call),
  },
};

const shellCommands: Commands = {
  completion: {
    usage: SHELLS.join('|'),
    about: 'Prints a script that completes commands, options and sizes. Its first line says how.',
    run: async ({ words: [shell = ''] }) => console.log(completionScript(shell)),
  },
};

export const groups = {
  'How it goes': overviewCommands,
  'Members and joining': { ...memberCommands, ...importCommands },
  'Friends, credits and rewards': {
    first: firstCommand,
    credits: creditsCommand,
    rewards: rewardsCommand,
  },
  'Masks and the drop': { ...stockCommands, drop: dropCommand },
  'Mail and webhooks': {
    ...mailCommands,
    campaign: campaignCommand,
    webhooks: webhooksCommand,
  },
  'Operators and what they changed': { ...accessCommands, ...changesCommands },
  'The database': databaseCommands,
  'This command line': shellCommands,
} as const satisfies Readonly<Record<string, Commands>>;

export const commands: Commands = Object.assign({}, ...Object.values(groups));
