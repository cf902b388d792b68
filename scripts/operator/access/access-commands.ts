/** The commands of `./waitlist` about who may enter the console, and by which keys. */
import type { SignInLink } from '../../../contract/operator/access.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Commands } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { completionOfVerbs, usageOfVerbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { keyVerbs, runKeys } from './keys.ts';
import { operatorVerbs, runOperators } from './operators.ts';

export const accessCommands: Commands = {
  'sign-in': {
    usage: '[address]',
    about: 'Prints a link that signs an operator in to the console, once, within 15 minutes.',
    words: 0,
    optionalWords: 1,
    options: ['json'],
    run: async (config, [email], { json }) => {
      const made = await callOperator<SignInLink>(config, {
        method: 'POST',
        path: operatorPaths.signInLinks,
        body: email === undefined ? {} : { email },
      });
      const does =
        made.email === null
          ? 'Whoever opens this first, within 15 minutes, becomes the owner:'
          : `Signs ${made.email} in, once, within 15 minutes:`;
      say(json, does);
      print(json, made, () => made.link);
    },
  },
  operators: {
    usage: `[${usageOfVerbs(operatorVerbs)}]`,
    about: 'Lists who may enter the console, or invites, changes or removes an operator.',
    words: 0,
    optionalWords: 4,
    completes: completionOfVerbs(operatorVerbs),
    options: ['json'],
    run: runOperators,
  },
  keys: {
    usage: `[${usageOfVerbs(keyVerbs)}]`,
    about: 'Lists API keys, or makes or revokes one. <scopes>: read, write and export, by commas.',
    words: 0,
    optionalWords: 3,
    completes: completionOfVerbs(keyVerbs),
    options: ['json'],
    run: runKeys,
  },
};
