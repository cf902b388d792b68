import type { Operation } from '../../changes/operation.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import { mailAbout } from './offer-mails.ts';
import { cancelPass, reissuePass } from './passes.ts';

/** A pass is dead, and its mask goes to the next in the draw order. */
export const cancelPassOperation: Operation<'cancel-pass'> = {
  kind: 'cancel-pass',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { code }) {
    const { member_id: id, size, state, shop_order: order } = await cancelPass(transaction, code);
    const was = state === 'redeemed' ? `, which order ${order} had redeemed,` : '';
    return {
      effects: {
        sentences: [
          `The pass for a mask of size ${size}${was} is dead for good.`,
          'While masks are offered, the next in the draw order is offered this one.',
        ],
        counts: {},
      },
      summary: `A pass for a mask of size ${size}${was} was cancelled.`,
      subject: { kind: 'member', id },
      details: { size, order },
      undo: null,
    };
  },
};

/** The member of a cancelled pass gets another one, and a mail. */
export const reissuePassOperation: Operation<'reissue-pass'> = {
  kind: 'reissue-pass',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { code }) {
    const pass = await reissuePass(transaction, code);
    const { member_id: id, size } = pass;
    await queueMails(transaction, [mailAbout('pass', pass)]);
    return {
      effects: {
        sentences: [
          `The member gets another pass for a mask of size ${size}, with a new code.`,
          'A mail brings the link to it.',
        ],
        counts: {},
      },
      summary: `A member got another pass for a mask of size ${size}.`,
      subject: { kind: 'member', id },
      details: { size },
      undo: null,
    };
  },
};
