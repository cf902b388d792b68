export const STATUS_OF = {
  malformed_json: 400,
  bad_host: 400,
  not_authorized: 401,
  bad_signature: 401,
  cross_site: 403,
  not_allowed: 403,
  unknown_member: 404,
  not_found: 404,
  unknown_path: 404,
  method_not_allowed: 405,
  already_registered: 409,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media: 415,
  no_such_range: 416,
  invalid_field: 422,
  idempotency_conflict: 422,
  proof_required: 428,
  rate_limited: 429,
  too_busy: 503,
  paused: 503,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof STATUS_OF;

type ProblemOptions = {
  readonly retryAfterSeconds?: number;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    detail: string,
    { retryAfterSeconds, fields = {}, cause }: ProblemOptions = {},
  ) {
    super(detail, { cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
  }
}

export function conflict(detail: string): Problem {
  return new Problem('conflict', detail);
}

export function invalidField(detail: string): Problem {
  return new Problem('invalid_field', detail);
}
