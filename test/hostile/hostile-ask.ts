/** Sends a hostile request to the app and lists what is wrong with the answer. */
import type { InjectOptions } from 'fastify';
import type { App } from '../../server/app.ts';
import { isLong } from '../support/test-form.ts';

/** The most that any single request may take on an idle server, which `npm run faults` has. */
const SLOW_MS = 1000;
/** A busy machine is slow once; a malicious input is slow every time. */
const PATIENT_TRIES = 3;

export type Answer = Awaited<ReturnType<App['fastify']['inject']>>;

export const post = (
  { fastify }: Pick<App, 'fastify'>,
  url: string,
  payload: string | object,
  headers: Readonly<Record<string, string>> = {},
) => fastify.inject({ method: 'POST', url, payload, headers });

/** Retries slow answers in the long form. `faults` is empty if nothing is wrong. */
export async function askHostile(
  { fastify }: Pick<App, 'fastify'>,
  request: InjectOptions,
): Promise<{ answer: Answer; faults: string[] }> {
  const faults: string[] = [];
  const { answer, ms } = await ask(fastify, request);
  let fastestMs = ms;
  for (let tries = 1; isLong && fastestMs > SLOW_MS && tries < PATIENT_TRIES; tries++)
    fastestMs = Math.min(fastestMs, (await ask(fastify, request)).ms);
  if (isLong && fastestMs > SLOW_MS) faults.push(`took ${Math.round(fastestMs)} ms`);
  faults.push(...faultsOf(answer));
  return { answer, faults };
}

async function ask(
  fastify: App['fastify'],
  request: InjectOptions,
): Promise<{ answer: Answer; ms: number }> {
  const startedAt = performance.now();
  const answer = await fastify.inject(request);
  return { answer, ms: performance.now() - startedAt };
}

function faultsOf({ statusCode, headers, payload }: Answer): string[] {
  const faults: string[] = [];
  const type = String(headers['content-type'] ?? '');
  if (statusCode >= 500) faults.push(`answered ${statusCode} ${payload}`);
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('may be read as another type');
  if (headers['set-cookie'] !== undefined) faults.push('sets a cookie');
  if (type.startsWith('application/json') && statusCode >= 400 && !isDetail(payload))
    faults.push(`${statusCode} has no detail: ${payload}`);
  if (
    payload !== '' &&
    !/^(application\/json|text\/(html|plain|csv)|image\/|video\/)/.test(type) &&
    statusCode < 300
  )
    faults.push(`answered as ${type}`);
  return faults;
}

function isDetail(payload: string): boolean {
  const body: unknown = JSON.parse(payload);
  if (typeof body !== 'object' || body === null) return false;
  return ['detail', 'detail,code'].includes(Object.keys(body).join());
}

/**
 * The tags of a page without attribute values and text: equal for all pages of a kind unless
 * filled-in text became markup. Without the ghost of an invite, which is drawn from the code.
 */
export function structureOf(html: string): string {
  const tags = html
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '<svg>')
    .matchAll(/<(?:!--|[!/]?[a-z])[^>]*/gi);
  return [...tags].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""')).join('\n');
}
