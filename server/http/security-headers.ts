import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

export type SecurityHeaders = Readonly<Record<string, string>>;

/** It omits web-share, which is allowed by default, because its name makes some browsers warn. */
const PERMISSIONS_POLICY =
  'autoplay=(self), camera=(), microphone=(), geolocation=(), payment=(), usb=(), ' +
  'display-capture=()';

/** Allows the inline styles and scripts of `documents` by hash. HSTS needs an HTTPS origin. */
export function computeSecurityHeaders({
  publicUrl,
  documents,
}: {
  publicUrl: string;
  documents: readonly string[];
}): SecurityHeaders {
  const isSecure = publicUrl.startsWith('https:');
  const applyHelmet = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...hashesOf(documents, 'script')],
        styleSrc: ["'self'", ...hashesOf(documents, 'style')],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure && { maxAge: 63_072_000, includeSubDomains: false },
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  applyHelmet(response.req, response, (error?: unknown) => {
    if (error) throw error;
  });
  response.setHeader('permissions-policy', PERMISSIONS_POLICY);
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

function hashesOf(documents: readonly string[], element: 'script' | 'style'): string[] {
  const inline = new RegExp(`<${element}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${element}>`, 'g');
  const blocks = documents.flatMap((html) =>
    Array.from(html.matchAll(inline), ([, block = '']) => block),
  );
  const hashOf = (block: string) => createHash('sha256').update(block).digest('base64');
  return [...new Set(blocks.map((block) => `'sha256-${hashOf(block)}'`))];
}
