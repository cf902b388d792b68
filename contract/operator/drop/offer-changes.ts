import { Type } from 'typebox';

const TimeOfDay = Type.String({ maxLength: 5, description: 'Such as 22:00, in the time zone' });
const PassCode = Type.String({ minLength: 1, maxLength: 100, description: 'The code of the pass' });

export const offerInputs = {
  'start-offers': Type.Object({
    minutes: Type.Integer({
      minimum: 10,
      maximum: 20_160,
      description: 'How long an offer stands; 720 is twelve hours',
    }),
    time_zone: Type.String({ minLength: 1, maxLength: 100, description: 'Such as Europe/Berlin' }),
    quiet_from: Type.Optional(TimeOfDay),
    quiet_until: Type.Optional(TimeOfDay),
  }),
  'import-codes': Type.Object({
    codes: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 200,
      description: 'Codes of the shop, each of which one member gets',
    }),
    size: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Without it, for any size' }),
    ),
    tier: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'The codes are the reward of this tier, and not for passes',
      }),
    ),
  }),
  'make-codes': Type.Object({
    count: Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many' }),
    size: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Without it, for any size' }),
    ),
  }),
  'cancel-pass': Type.Object({ code: PassCode }),
  'reissue-pass': Type.Object({ code: PassCode }),
  'tell-others': Type.Object({}),
} as const;
