import { Problem } from '../../problem.ts';

/** The URL as it is called. Throws Problem invalid_field, a sentence. */
export function readEndpointUrl(text: string, { allowsHttp }: { allowsHttp: boolean }): string {
  const refuse = (sentence: string) => new Problem('invalid_field', sentence);
  const trimmed = text.trim();
  if (!URL.canParse(trimmed))
    throw refuse('Please give a whole URL, such as https://example.com/webhooks.');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:'))
    throw refuse('The URL must begin with https://.');
  if (url.username !== '' || url.password !== '')
    throw refuse('The URL must not hold a user name or password.');
  url.hash = '';
  return url.href;
}
