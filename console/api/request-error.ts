/** A call that failed. Its message is a sentence for a person. */
export class RequestError extends Error {
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** Seconds to wait before the next try, if the server asks for it; otherwise null. */
  readonly retryAfter: number | null;

  constructor(
    message: string,
    {
      status,
      retryAfter = null,
      cause,
    }: { status: number | null; retryAfter?: number | null; cause?: unknown },
  ) {
    super(message, { cause });
    this.name = 'RequestError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Whether `error` is an answer with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof RequestError && error.status === status;
}

/** The sentence of any error, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof RequestError ? error.message : 'Something went wrong in this page.';
}
