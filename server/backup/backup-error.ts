/** Why a backup cannot be made or restored, as one sentence for the person at the terminal. */
export class BackupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'BackupError';
  }
}
