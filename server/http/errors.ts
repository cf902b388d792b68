import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isTimeLimitError, isUnavailableError } from '../db/postgres/is-unavailable-error.ts';
import { invalidField, Problem, STATUS_OF } from '../problem.ts';
import { logFailure } from './request-log.ts';

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const isHangUp = error !== null && error === request.raw.errored;
  const problem = isHangUp ? HUNG_UP : toProblem(error);
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
  const [violation] = validation ?? [];
  if (violation !== undefined)
    return invalidField(fieldSentence(violation, validationContext ?? 'request'));
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
      return new Problem('unknown_path', 'There is nothing at this path.');
    default:
      return null;
  }
}

/** Gives a page the status and headers of the problem. Throws an internal error again. */
export function markRefusedBy(reply: FastifyReply, error: unknown): Problem {
  const problem = toProblem(error);
  if (problem === null) throw error;
  markRefused(reply, problem);
  return problem;
}

export function markRefused(reply: FastifyReply, problem: Problem | null): FastifyReply {
  if (problem?.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(problem.retryAfterSeconds));
  return reply.code(problem === null ? 500 : STATUS_OF[problem.code]);
}

type Violation = NonNullable<FastifyError['validation']>[number];

function fieldSentence({ keyword, instancePath, params }: Violation, part: string): string {
  if (keyword === 'discriminator')
    return `The field "${String(params.tag)}" must name one of the kinds that are described.`;
  if (keyword === 'required') return `The field "${String(params.missingProperty)}" is missing.`;
  const field = instancePath.slice(1).replaceAll('/', '.');
  if (field === '') return `The request ${part} must be a JSON object.`;
  if (keyword === 'maxLength') return `The field "${field}" is too long.`;
  if (keyword === 'minLength')
    return `The field "${field}" ${params.limit === 1 ? 'must not be empty' : 'is too short'}.`;
  if (keyword === 'minimum')
    return `The field "${field}" must be at least ${String(params.limit)}.`;
  if (keyword === 'maximum') return `The field "${field}" must be at most ${String(params.limit)}.`;
  if (keyword === 'type') {
    const noun = params.type === 'integer' ? 'a whole number' : `a ${String(params.type)}`;
    return `The field "${field}" must be ${noun}.`;
  }
  return `The field "${field}" is not valid.`;
}
