/** The help of all commands, and of one. */
import { usageOf } from './arguments.ts';
import { type Command, type Commands, readOption } from './command.ts';

export function explainAll(commands: Commands): string {
  return [
    'Commands for the operator of the waitlist. Most of them call the running server.',
    ...Object.entries(commands).map(([name, command]) => explain(name, command)),
    '  ./waitlist help <command>\n      Explains one command and its options, as --help does.',
  ].join('\n\n');
}

export function explainOne(name: string, command: Command): string {
  const options = [...command.options, 'help'].map((option) => {
    const { value = '', about = 'explain the command' } = readOption(option) ?? {};
    return [`  --${option} ${value}`.trimEnd(), about] as const;
  });
  const width = Math.max(...options.map(([option]) => option.length));
  const lines = options.map(([option, about]) => `${option.padEnd(width)}  ${about}`);
  return `${explain(name, command)}\n\n${lines.join('\n')}`;
}

function explain(name: string, command: Command): string {
  return `  ${usageOf(name, command)}\n      ${command.about}`;
}
