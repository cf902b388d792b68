import { MAIL_STATES, MEMBER_CREDITS } from './member-states.ts';
import type { SourceField } from './sources.ts';

/** What is known of a member's field: lists, files, screens and commands read it here. */
type MemberField = {
  readonly form: 'text' | 'code' | 'whole' | 'flag' | 'time' | readonly string[];
  readonly isNullable?: true;
  /** What the API says about it. */
  readonly about?: string;
  readonly label: string;
  /** The head of its column; lists leave out a field without one. */
  readonly head?: string;
  /** Whether the sheet of a member has a line for it. */
  readonly isFact?: true;
  /** Whether a filter can ask for one of its values. */
  readonly isFiltered?: true;
  /** How lists to import call it, without case, accents, spaces and punctuation. */
  readonly names?: string;
};

/** In the order of an export. */
const MEMBER_FIELDS = {
  position: { form: 'whole', label: 'Position', head: 'Position' },
  email: {
    form: 'text',
    label: 'E-mail address',
    head: 'Member',
    names:
      'email emailaddress mail address emailadresse mailadresse correoelectronico correo ' +
      'direcciondecorreoelectronico email1value',
  },
  referral_code: {
    form: 'code',
    label: 'Referral code',
    head: 'Code',
    isFact: true,
    names:
      'referralcode referraltoken socialid kid code invitecode empfehlungscode einladungscode ' +
      'codigodereferido codigodeinvitacion',
  },
  referral_count: {
    form: 'whole',
    label: 'Number of friends',
    head: 'Friends',
    names: 'referralcount amountreferred referrals empfehlungen referidos',
  },
  confirmed_referrals: { form: 'whole', label: 'Confirmed friends', head: 'Confirmed' },
  points: { form: 'whole', label: 'Points' },
  point_adjustment: {
    form: 'whole',
    about: 'The part of the points that an operator gave, or took if negative',
    label: 'Points given by an operator',
    names: 'pointadjustment',
  },
  tier_level: { form: 'whole', label: 'Tier', head: 'Tier' },
  is_invited: { form: 'flag', label: 'Invited', names: 'isinvited' },
  referred_by: { form: 'text', isNullable: true, label: 'Invited by' },
  joined_at: {
    form: 'time',
    about: 'ISO 8601 in UTC, like confirmed_at',
    label: 'Time of joining',
    head: 'Joined',
    isFact: true,
    names:
      'joinedat createdat appliedat signedupat joined created when optintime timestamp ' +
      'signupdate signupdatetime dateadded datecreated createddate creationdate createdon ' +
      'subscribedat subscribedon subscribed subscriptiondate subscribedate registeredat ' +
      'registrationdate submittedat submitdate submitdateutc submissiondate submissiontime ' +
      'zeitstempel anmeldedatum anmeldung anmeldezeitpunkt angemeldetam angemeldet erstelltam ' +
      'erstellungsdatum registriertam registrierungsdatum eingetragenam hinzugefugtam ' +
      'beigetreten beigetretenam marcatemporal marcadetiempo fechaderegistro fechadealta ' +
      'fechadeinscripcion fechadesuscripcion fechadecreacion registrado creado creadoel date ' +
      'datetime datum fecha',
  },
  confirmed_at: {
    form: 'time',
    isNullable: true,
    about: 'When the address was proved to be theirs; null: not yet',
    label: 'Time of confirmation',
    names: 'confirmedat confirmtime confirmationtime bestatigtam confirmadoel',
  },
  credit: {
    form: MEMBER_CREDITS,
    about: 'What their referrer gets for them',
    label: 'Credit for their referrer',
    head: 'Credit',
    isFiltered: true,
    names: 'credit',
  },
  mail_state: {
    form: MAIL_STATES,
    label: 'State of their mail',
    head: 'Mail',
    names:
      'mailstate unsubtime cleantime unsubscribedat unsubscribed optouttime status state ' +
      'subscriberstate subscriberstatus subscriptionstatus emailstatus emailmarketingstatus ' +
      'emailmarketingconsent acceptsemailmarketing acceptsmarketing subscribedtoemails ' +
      'subscribed optin newsletter estado abgemeldetam',
  },
  utm_source: {
    form: 'text',
    about: 'Empty when it is not known, like the next ones',
    label: 'Source',
    names: 'utmsource source',
  },
  utm_medium: { form: 'text', label: 'Medium of the source', names: 'utmmedium' },
  utm_campaign: { form: 'text', label: 'Campaign of the source', names: 'utmcampaign' },
  via: {
    form: 'text',
    about: 'How the invite link that they followed was shared',
    label: 'App of the invite link',
    names: 'via',
  },
  referring_host: {
    form: 'text',
    about: 'The host of the page that linked to us',
    label: 'Referring site',
    names: 'referringhost',
  },
  id: { form: 'code', label: 'Id', isFact: true },
} as const satisfies Readonly<Record<SourceField, MemberField>> &
  Readonly<Record<string, MemberField>>;

type Fields = typeof MEMBER_FIELDS;
export type FieldName = keyof Fields;
type NamesWith<Part> = { [Name in FieldName]: Fields[Name] extends Part ? Name : never }[FieldName];
type FormValue<Form> = Form extends readonly (infer Choice)[]
  ? Choice
  : Form extends 'whole'
    ? number
    : Form extends 'flag'
      ? boolean
      : string;
export type FieldValue<Name extends FieldName> =
  | FormValue<Fields[Name]['form']>
  | (Fields[Name] extends { readonly isNullable: true } ? null : never);

export const FIELD_NAMES = Object.keys(MEMBER_FIELDS) as FieldName[];

export function memberField(name: FieldName): MemberField {
  return MEMBER_FIELDS[name];
}

export type FilteredField = NamesWith<{ readonly isFiltered: true }>;
export const FILTERED_FIELDS = FIELD_NAMES.filter(
  (name): name is FilteredField => memberField(name).isFiltered ?? false,
);

export type ImportField = NamesWith<{ readonly names: string }> | 'referrer' | 'row_id';

const named = FIELD_NAMES.flatMap((name) => {
  const { label, names } = memberField(name);
  return names === undefined ? [] : [[name, { label, names }]];
});

/** What the columns of a list to import can be. */
export const IMPORT_FIELDS: Readonly<
  Record<ImportField, { readonly label: string; readonly names: string }>
> = {
  email: MEMBER_FIELDS.email,
  referral_code: MEMBER_FIELDS.referral_code,
  referrer: {
    label: 'Referrer: address, code or row id',
    names:
      'referredby referredbysignuptoken referredbycode referredbyemail referrer invitedby ' +
      'parentid empfohlenvon geworbenvon eingeladenvon referidopor invitadopor recomendadopor',
  },
  row_id: { label: 'Row id', names: 'id uuid rowid memberid' },
  ...Object.fromEntries(named),
};

export const IMPORT_NAMES = Object.keys(IMPORT_FIELDS) as ImportField[];
