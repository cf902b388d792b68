/** The secrets that sign webhooks: derived from the secret key, so none is in the database. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

type SecretOf = { readonly endpointId: string; readonly secretNumber: number };

/** `whsec_` and 32 bytes in Base64, as Standard Webhooks writes them. */
export function webhookSecret(secretKey: string, { endpointId, secretNumber }: SecretOf): string {
  const bytes = createHmac('sha256', secretKey)
    .update(`webhook\0${endpointId}\0${secretNumber}`)
    .digest('base64');
  return `whsec_${bytes}`;
}

/** The headers of Standard Webhooks; with several secrets, a signature with each. */
export function signatureHeaders(
  secrets: readonly string[],
  { eventId, body, now }: { eventId: string; body: string; now: Date },
): Record<string, string> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(eventId, now, body))
      .join(' '),
  };
}
