/** Errors of requests: thrown anywhere, answered by `http/errors.ts`. */
export type ProblemCode =
  | 'malformed_json'
  | 'bad_host'
  | 'invalid_field'
  | 'unknown_member'
  | 'not_found'
  | 'unknown_path'
  | 'method_not_allowed'
  | 'already_registered'
  | 'idempotency_conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'proof_required'
  | 'unsupported_media'
  | 'no_such_range'
  | 'not_authorized'
  | 'not_allowed'
  | 'bad_signature'
  | 'cross_site'
  | 'conflict'
  | 'rate_limited'
  | 'too_busy'
  | 'paused'
  | 'unavailable';

export class Problem extends Error {
  readonly code: ProblemCode;
  /** A sentence for a person; never the internal cause. */
  readonly detail: string;
  /** Delay before another try, for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** Further fields of the answer. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      retryAfterSeconds?: number;
      fields?: Readonly<Record<string, unknown>>;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields ?? {};
  }
}
