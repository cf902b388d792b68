import { type Static, Type } from 'typebox';
import { Moment, Nullable, Text, TextOrNull } from '../fields.ts';

export const OperatorRole = Type.Enum(['owner', 'viewer', 'door'] as const, {
  description: 'owner may do everything, viewer sees everything, door only uses up passes',
});
export type OperatorRole = Static<typeof OperatorRole>;

const Name = Text(100);
const Email = Text(1024);
const Secret = Text(200);

export const Operator = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: OperatorRole,
});
export type Operator = Static<typeof Operator>;

/** The token of a link is in its fragment, which reaches no server and no log. */
export const SignInRequest = Type.Object({
  token: Secret,
  owner: Type.Optional(
    Type.Object(
      { name: Name, email: Email },
      { description: 'Of the first owner, whose link names nobody yet' },
    ),
  ),
});

export const SignedIn = Type.Object({
  operator: Nullable(Operator),
  needs_owner: Type.Boolean({
    description: 'The link makes its holder the first owner: send it again with name and address',
  }),
});
export type SignedIn = Static<typeof SignedIn>;

export const SignInMailRequest = Type.Object({ email: Email });

export const SignInLinkRequest = Type.Object({
  email: Type.Optional(Text(1024, 'Default: the only owner')),
});

export const SignInLink = Type.Object({
  link: Type.String({ description: 'Signs in once' }),
  email: TextOrNull('Null: makes its holder the first owner'),
  expires_at: Moment('When it stops working'),
});
export type SignInLink = Static<typeof SignInLink>;

export const Me = Type.Object({
  kind: Type.Enum(['operator', 'api_key', 'token', 'system'] as const),
  name: Type.String(),
  role: Nullable(OperatorRole),
  session: Nullable(
    Type.Object(
      { id: Type.String(), operator: Operator, ends_at: Moment('At the latest') },
      { description: 'Null: no operator has signed in, a program calls' },
    ),
  ),
  passkey_origin: TextOrNull('Where passkeys work; null: not with this public address'),
  may_be_copy: TextOrNull('Why nothing leaves this line; null: it is the line'),
});
export type Me = Static<typeof Me>;

export const Sessions = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      device: Type.String({ description: 'Browser and system, as the browser names them' }),
      is_current: Type.Boolean(),
      created_at: Moment('When it began'),
      last_used_at: Moment('Within a minute'),
    }),
  ),
});
export type Sessions = Static<typeof Sessions>;

export const Operators = Type.Object({
  operators: Type.Array(
    Type.Object({
      ...Operator.properties,
      created_at: Moment('When they were invited'),
      last_used_at: Nullable(Moment('Of their open sessions')),
      passkeys: Type.Integer(),
    }),
  ),
});
export type Operators = Static<typeof Operators>;

export const InviteRequest = Type.Object({ name: Name, email: Email, role: OperatorRole });
export const RoleRequest = Type.Object({ role: OperatorRole });

export const PasskeyOptions = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true, description: 'For navigator.credentials' }),
);
const PasskeyResponse = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object(
    {
      id: Text(2048),
      rawId: Type.String({ maxLength: 2048 }),
      type: Type.Literal('public-key'),
      response: Type.Object({}, { additionalProperties: true }),
    },
    { additionalProperties: true, description: 'As PublicKeyCredential.toJSON() gives it' },
  ),
);
export const PasskeySignInRequest = Type.Object({ credential: PasskeyResponse });
export const AddPasskeyRequest = Type.Object({ name: Name, credential: PasskeyResponse });
export const RenamePasskeyRequest = Type.Object({ name: Name });

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Moment('When it was added'),
  last_used_at: Nullable(Moment('When it last signed in')),
});
export const Passkeys = Type.Object({ passkeys: Type.Array(Passkey) });
export type Passkeys = Static<typeof Passkeys>;

export const KeyScope = Type.Enum(['read', 'write', 'export', 'redeem'] as const, {
  description:
    'read shows, write changes, export downloads the list, redeem uses up passes in a shop',
});
export type KeyScope = Static<typeof KeyScope>;

export const NewKeyRequest = Type.Object({
  name: Name,
  scopes: Type.Array(KeyScope, { minItems: 1, maxItems: 4, uniqueItems: true }),
  ends_at: Type.Optional(
    Text(40, 'When it stops working: a day, or a time with its zone. Default: never'),
  ),
});

const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'How the key begins' }),
  scopes: Type.Array(KeyScope),
  created_by: TextOrNull('Null: the operator token'),
  created_by_id: TextOrNull('Id of the operator who made it'),
  state: Type.Enum(['active', 'ended', 'suspended'] as const, {
    description: 'Ended: past its end. Suspended: whoever made it is no owner any more',
  }),
  created_at: Moment('When it was made'),
  ends_at: Nullable(Moment('When it stops working')),
  last_used_at: Nullable(Moment('Within a minute')),
});
export const ApiKeys = Type.Object({ keys: Type.Array(ApiKey) });
export type ApiKeys = Static<typeof ApiKeys>;

export const NewKey = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'Shown this once: only its hash is stored' }),
});
