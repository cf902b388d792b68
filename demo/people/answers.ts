import type { SeededRandom } from '../../brand/art/seeded-random.ts';
import type { OwnOffer } from '../../contract/drop/offer-views.ts';

type Called = { readonly status: number; readonly offer: OwnOffer['offer'] };

/** Calls with the token of a mail: looks at the offer, accepts, declines or changes its size. */
export async function actOnOffer(
  url: string,
  path: string,
  body: { readonly token: string; readonly size?: string },
): Promise<Called> {
  const response = await sendJson('POST', url + path, body);
  const { offer = null } = (await response.json()) as Partial<OwnOffer>;
  return { status: response.status, offer };
}

export async function sendJson(
  method: string,
  url: string,
  body: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = { ...more, 'content-type': 'application/json' };
  return await fetch(url, { method, headers, body: JSON.stringify(body) });
}

type Answers = ReturnType<typeof openAnswers>;

/** What everybody needs who plays at the server's address. */
export type Player = {
  readonly url: string;
  readonly random: SeededRandom;
  readonly answers: Answers;
};

/** Compares answers of the server with the right ones. */
export function openAnswers() {
  const wrong: string[] = [];
  return {
    wrong: wrong as readonly string[],
    expectStatus(what: string, found: number, wanted: number): void {
      if (found !== wanted) wrong.push(`${what} was answered ${found}, not ${wanted}.`);
    },
    expect(what: string, isSo: boolean): void {
      if (!isSo) wrong.push(`This is not so: ${what}.`);
    },
  };
}
