/** Commands of two words, such as `webhooks add`. */
import type { Config } from '../../server/config.ts';
import { type Command, type Options, UsageError } from './command.ts';
import { suggestName } from './suggest.ts';

type Verb = {
  /** Its arguments, such as "<url> <events>": one for each "<", and all are needed. */
  readonly usage: string;
  readonly run: (config: Config, words: readonly string[], options: Options) => Promise<void>;
  /** What its last argument may be, for shell completion, where `begun` stands so far. */
  readonly completesLast?: (begun: string) => readonly string[];
};
export type Verbs = Readonly<Record<string, Verb>>;

/** "add <url> <events> | test <id>", for the help. */
export function usageOfVerbs(verbs: Verbs): string {
  return Object.entries(verbs)
    .map(([name, { usage }]) => `${name} ${usage}`.trimEnd())
    .join(' | ');
}

/** For shell completion: the names of the verbs, then what each says about its last argument. */
export function completionOfVerbs(verbs: Verbs): NonNullable<Command['completes']> {
  const words = Object.values(verbs).map(countWords);
  return [
    Object.keys(verbs),
    ...Array.from(
      { length: Math.max(...words) },
      () =>
        ([name = '', ...rest]: readonly string[]) => {
          const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
          const isLast = verb !== undefined && rest.length === countWords(verb);
          return (isLast && verb.completesLast?.(rest.at(-1) ?? '')) || [];
        },
    ),
  ];
}

function countWords({ usage }: Verb): number {
  return usage.split('<').length - 1;
}

/** Runs the verb that the first of `words` names with the others. Throws UsageError. */
export async function runVerb(
  command: string,
  verbs: Verbs,
  {
    config,
    words: [name = '', ...words],
    options,
  }: { config: Config; words: readonly string[]; options: Options },
): Promise<void> {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) {
    const names = Object.keys(verbs);
    const advice = suggestName(name, names) || ` It has ${names.join(', ')}.`;
    throw new UsageError(`${command} has no command "${name}".${advice}`);
  }
  if (words.length !== countWords(verb))
    throw new UsageError(`Usage: ${`./waitlist ${command} ${name} ${verb.usage}`.trimEnd()}.`);
  await verb.run(config, words, options);
}
