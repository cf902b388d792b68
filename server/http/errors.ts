/** Turns every error into an answer that never reveals the cause. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isTimeLimitError, isUnavailableError } from '../db/postgres/is-unavailable-error.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import { logFailure } from './request-log.ts';

const statusOf: Readonly<Record<ProblemCode, number>> = {
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
};

/** Error handler of Fastify. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = isHangUp(error, request) ? HUNG_UP : toProblem(error);
  if (problem === null) logFailure(request.log, 'error', error, 'request failed');
  else if (problem.cause !== undefined)
    logFailure(request.log, 'warn', problem.cause, 'request could not be served');
  markRefused(reply, problem).header('cache-control', 'no-store');
  if (problem?.code === 'not_authorized')
    reply.header('www-authenticate', 'Bearer realm="operator"');
  reply.send({
    detail: problem?.detail ?? 'Something went wrong on our side. Please try again later.',
    ...problem?.fields,
  });
}

/** Nobody reads this answer: the client has disconnected. */
export const HUNG_UP = new Problem('malformed_json', 'The request did not arrive completely.');

/** A disconnected client is no failure of the server. */
function isHangUp(error: unknown, { raw }: FastifyRequest): boolean {
  return error !== null && error === raw.errored;
}

/** Returns null for an internal error, which clients must not see. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  if (isUnavailableError(error))
    return new Problem(
      'unavailable',
      'This cannot be reached right now. Please try again in a few seconds.',
      { retryAfterSeconds: 5, cause: error },
    );
  if (isTimeLimitError(error))
    return new Problem('unavailable', 'This took too long and was ended. Please try again later.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  const { code, statusCode, validation, validationContext } = error as FastifyError;
  if (validation?.[0])
    return new Problem(
      'invalid_field',
      fieldSentence(validation[0], validationContext ?? 'request'),
    );
  // Errors of @fastify/static have no code.
  if (statusCode === 412)
    return new Problem('precondition_failed', 'The file has changed in the meantime.');
  if (statusCode === 416) return new Problem('no_such_range', 'The file has no such part.');
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('malformed_json', 'The request body is not valid JSON.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', 'The request is too large.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media', 'Please send the request as application/json.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('unknown_path', 'There is nothing at this path.');
    default:
      return null;
  }
}

/** Gives a page about a problem the status and headers that its JSON answer has. */
export function markRefused(reply: FastifyReply, problem: Problem | null): FastifyReply {
  if (problem?.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(problem.retryAfterSeconds));
  return reply.code(problem === null ? 500 : statusOf[problem.code]);
}

type Violation = { keyword: string; instancePath: string; params: Record<string, unknown> };

function fieldSentence({ keyword, instancePath, params }: Violation, part: string): string {
  if (keyword === 'discriminator')
    return `The field "${String(params.tag)}" must name one of the kinds that are described.`;
  if (keyword === 'required') return `The field "${String(params.missingProperty)}" is missing.`;
  const field = instancePath.slice(1).replaceAll('/', '.');
  if (field === '') return `The request ${part} must be a JSON object.`;
  if (keyword === 'maxLength') return `The field "${field}" is too long.`;
  if (keyword === 'minLength') return `The field "${field}" must not be empty.`;
  if (keyword === 'minimum')
    return `The field "${field}" must be at least ${String(params.limit)}.`;
  if (keyword === 'maximum') return `The field "${field}" must be at most ${String(params.limit)}.`;
  if (keyword === 'type') {
    const noun = params.type === 'integer' ? 'a whole number' : `a ${String(params.type)}`;
    return `The field "${field}" must be ${noun}.`;
  }
  return `The field "${field}" is not valid.`;
}
