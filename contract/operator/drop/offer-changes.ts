import { Type } from 'typebox';
import { Text, Whole } from '../../fields.ts';

const TimeOfDay = Type.String({ maxLength: 5, description: 'Such as 22:00, in the time zone' });
const PassCode = Text(100, 'The code of the pass');

export const offerInputs = {
  'start-offers': Type.Object({
    minutes: Whole(10, 20_160, 'How long an offer stands; 720 is twelve hours'),
    time_zone: Text(100, 'Such as Europe/Berlin'),
    quiet_from: Type.Optional(TimeOfDay),
    quiet_until: Type.Optional(TimeOfDay),
    pay_hours: Type.Optional(
      Whole(1, 720, 'How long an accepted pass can be paid, by default 24; then the mask goes on'),
    ),
  }),
  'pause-offers': Type.Object({}),
  'resume-offers': Type.Object({}),
  'extend-offers': Type.Object({
    minutes: Whole(1, 20_160, 'How much later they end'),
    offer_id: Type.Optional(Text(100, 'Without it, all open offers')),
  }),
  'offer-mask': Type.Object({ member_id: Text(100) }),
  'import-codes': Type.Object({
    codes: Type.Array(Text(100), {
      minItems: 1,
      maxItems: 200,
      description: 'Codes of the shop, each of which one member gets',
    }),
    size: Type.Optional(Text(100, 'Without it, for any size')),
    tier: Type.Optional(Whole(1, 100, 'The codes are the reward of this tier, and not for passes')),
  }),
  'make-codes': Type.Object({
    count: Whole(1, 1_000, 'How many'),
    size: Type.Optional(Text(100, 'Without it, for any size')),
  }),
  'cancel-pass': Type.Object({
    code: PassCode,
    note: Text(500, 'Why, in plain words: the member is mailed this'),
  }),
  'swap-passes': Type.Object({
    codes: Type.Array(PassCode, {
      minItems: 1,
      maxItems: 200,
      description: 'Of passes that are not paid: each gets another code, or none does',
    }),
    size: Type.Optional(Text(100, 'The passes are for this size, of which masks are left')),
  }),
  'reissue-pass': Type.Object({ code: PassCode }),
  'ask-addresses': Type.Object({ drop: Type.Optional(Whole(1, 999_999, 'The last by default')) }),
  'mark-masks-sent': Type.Object({
    carrier: Text(100, 'Who brings them: members read it'),
    parcels: Type.Array(Text(210, 'The code of a paid pass, a comma, the tracking number'), {
      minItems: 1,
      maxItems: 200,
    }),
  }),
  'tell-others': Type.Object({}),
} as const;
