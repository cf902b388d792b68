/** Any call that did not bring what it should: the server said no, said nonsense, or said nothing. */
export class ApiError extends Error {
  /** null when no answer came at all. */
  readonly status: number | null;
  /** What the server said for a person; null when it said nothing fit to show. */
  readonly detail: string | null;
  /** All that came, for a caller who knows what to look for in it. */
  readonly body: unknown;

  /** `fallback` is the call's own message (SPEC 8), used when the server gave none. */
  constructor(
    fallback: string,
    { status, detail, body, cause }: { status: number | null; detail: string | null; body?: unknown; cause?: unknown },
  ) {
    super(detail ?? fallback, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
    this.body = body;
  }
}
