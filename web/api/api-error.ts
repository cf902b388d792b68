import type { ErrorBody } from '../../contract/schemas.ts';

type ErrorCode = NonNullable<ErrorBody['code']>;

export class ApiError extends Error {
  readonly status: number | null;
  readonly detail: string | null;
  /** Error code within the status; null where the status identifies the error. */
  readonly code: ErrorCode | null;
  readonly body: unknown;

  constructor(
    fallback: string,
    { status = null, detail = null, code = null, body, cause }: Partial<ApiError>,
  ) {
    super(detail ?? fallback, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
    this.code = code;
    this.body = body;
  }
}

/** The fixed words name a duplicate, too: a server without codes sends nothing else. */
export function readErrorBody(body: unknown): Pick<ApiError, 'detail' | 'code' | 'body'> {
  const { detail: sent, code } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const detail = typeof sent === 'string' && sent.trim() !== '' ? sent : null;
  const isKnown = code === 'already_registered' || detail?.includes('already registered');
  return { detail, code: isKnown ? 'already_registered' : null, body };
}
