/** Why the server cannot start, as a sentence for the operator: printed without a stack. */
export class StartupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'StartupError';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission for it',
  EPERM: 'this user has no permission for it',
  EROFS: 'its disk is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'its disk is full',
};

/** Why the system refused a file or folder, as the end of a sentence without its full stop. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return REASONS[codeOf(error)] ?? message;
}

/** The code of an error of the system or the database, such as ENOENT; otherwise empty. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
