import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { ReceivedMail } from '../../../test/support/smtp-mailbox.ts';

type Called = { readonly status: number; readonly offer: OwnOffer['offer'] };

export function findToken(mails: readonly ReceivedMail[], address: string): string | null {
  const own = mails.filter(({ to }) => to.includes(address)).map(textOf);
  const tokens = own.flatMap((text) => /#offer=3D([\w-]+)/.exec(text)?.[1] ?? []);
  return tokens.at(-1) ?? null;
}

function textOf({ raw }: ReceivedMail): string {
  return raw.replaceAll('=\r\n', '');
}

export async function actOnOffer(
  url: string,
  act: 'accept' | 'decline' | 'look',
  token: string,
): Promise<Called> {
  const path = {
    accept: apiPaths.acceptOffer,
    decline: apiPaths.declineOffer,
    look: apiPaths.offer,
  };
  return await post(url + path[act], { token });
}

export async function changeSize(url: string, token: string, size: string): Promise<Called> {
  return await post(url + apiPaths.changeOffer, { token, size });
}

export async function wishSizes(
  url: string,
  memberId: string,
  wish: { readonly sizes: readonly string[]; readonly takes_any: boolean },
): Promise<number> {
  const response = await fetch(url + fillPath(apiPaths.sizes, memberId), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  await response.arrayBuffer();
  return response.status;
}

async function post(url: string, body: object): Promise<Called> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { offer = null } = (await response.json()) as Partial<OwnOffer>;
  return { status: response.status, offer };
}

export type Answers = {
  expectStatus(what: string, found: number, wanted: number): void;
  expect(what: string, isSo: boolean): void;
  count(): number;
  readonly wrong: readonly string[];
};

export function openAnswers(): Answers {
  const wrong: string[] = [];
  let count = 0;
  return {
    expectStatus(what, found, wanted) {
      count += 1;
      if (found !== wanted) wrong.push(`${what} was answered ${found}, not ${wanted}.`);
    },
    expect(what, isSo) {
      count += 1;
      if (!isSo) wrong.push(`This is not so: ${what}.`);
    },
    count: () => count,
    wrong,
  };
}
