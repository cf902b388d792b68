/**
 * Everything that can go wrong with a request, as one closed list. Features throw a `Problem`; `http/errors.ts` is the
 * one place that turns it into an answer.
 */
export type ProblemCode =
  | 'malformed_json'
  | 'no_host'
  | 'invalid_field'
  | 'unknown_member'
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
  | 'bad_signature'
  | 'cross_site'
  | 'conflict'
  | 'rate_limited'
  | 'too_busy'
  | 'unavailable';

export class Problem extends Error {
  readonly code: ProblemCode;
  /** The sentence for a person; never carries an internal cause. */
  readonly detail: string;
  /** For 429 and 503: after how many seconds trying again makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** What the answer says besides the sentence, for a program. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { retryAfterSeconds?: number; more?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.more = options.more ?? {};
  }
}
