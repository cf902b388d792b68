/** What commands print: results on stdout, so that pipes get nothing else. */

/** The result of a command. */
export function print(isJson: boolean | undefined, value: unknown, render: () => string): void {
  console.log(isJson ? JSON.stringify(value, null, 2) : render());
}

/** Says beside a result, on stderr, that something is done. Programs that ask for JSON know. */
export function say(isJson: boolean | undefined, sentence: string): void {
  if (!isJson) console.error(sentence);
}

/** Ends the process quietly when the reader of a pipe has gone, as after `| head -1`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
}
