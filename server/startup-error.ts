/** A reason why the server cannot start, printed without a stack. */
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
  ENAMETOOLONG: 'its name is too long',
};

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return REASONS[codeOf(error)] ?? message;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
