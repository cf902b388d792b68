import { parseArgs } from 'node:util';

type Options = Readonly<Record<string, readonly [usual: string | boolean, about: string]>>;

/** For scripts of npm. Ends the process where help is asked for or an option is wrong. */
export function readOptions<Given extends Options>(about: string, given: Given) {
  const entries = Object.entries(given);
  if (process.argv.includes('--help')) {
    const lines = entries.map(([name, [usual, meaning]]) => {
      const value = typeof usual === 'string' ? ` ${usual || '...'}` : '';
      return `\n  --${usual === true ? 'no-' : ''}${name}${value}\n      ${meaning}`;
    });
    console.log([about, ...lines].join('\n'));
    process.exit();
  }
  const options = entries.map(([name, [usual]]) => {
    return [name, { type: typeof usual as 'string' | 'boolean', default: usual }] as const;
  });
  try {
    const { values } = parseArgs({ options: Object.fromEntries(options), allowNegative: true });
    return values as { [Name in keyof Given]: Given[Name][0] extends boolean ? boolean : string };
  } catch (error) {
    return refuse(`${(error as Error).message.replace(/\. .*/s, '')}. Try: --help`);
  }
}

export function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
