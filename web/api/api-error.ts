/** A call that failed: refused, answered in the wrong shape, or not answered at all. */
export class ApiError extends Error {
  /** null without an answer. */
  readonly status: number | null;
  /** The server's sentence for a person; null without one. */
  readonly detail: string | null;
  /** The whole answer, for callers that look for more. */
  readonly body: unknown;

  /** `fallback`: the call's own message (docs/behaviour.md 8), used without a detail. */
  constructor(
    fallback: string,
    {
      status,
      detail,
      body,
      cause,
    }: { status: number | null; detail: string | null; body?: unknown; cause?: unknown },
  ) {
    super(detail ?? fallback, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
    this.body = body;
  }
}
