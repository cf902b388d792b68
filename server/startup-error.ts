/** Why the server cannot start, as a sentence for the operator: printed without a stack. */
export class StartupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'StartupError';
  }
}
