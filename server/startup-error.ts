/** Why the server cannot start, as one sentence for the person at the terminal: shown alone, without a stack. */
export class StartupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'StartupError';
  }
}
