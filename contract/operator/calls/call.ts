import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { DropFileName } from '../drop/drop-files.ts';
import type { operatorPaths } from '../paths.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** `owner` includes the operator token; `self` is for people who have signed in. */
export type Access = 'anyone' | 'known' | 'self' | 'read' | 'write' | 'export' | 'redeem' | 'owner';

export type CallDescription = {
  readonly access: Access;
  readonly summary: string;
  readonly description?: string;
  readonly querystring?: TObject;
  readonly body?: TSchema;
  /** Left out where the answer is a file, or empty. */
  readonly answer?: TSchema;
  /** The media types of an answer that is a file, and what it has in each. */
  readonly file?: Readonly<Record<string, TSchema>>;
  /** Left out where it is 200, or 204 for an empty answer. */
  readonly status?: 201 | 202;
  /** Statuses besides 401, 403, 429 and those of an invalid body, query or path. */
  readonly refusals?: readonly (400 | 404 | 409 | 503)[];
};

export type CallDescriptions = Partial<
  Record<`${Method} ${keyof typeof operatorPaths}`, CallDescription>
>;

const number = (digits: number) => Type.String({ pattern: `^[1-9]\\d{0,${digits - 1}}$` });
const uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

/** The parameters of all paths, by their names. */
export const pathParameters = {
  memberId: Type.String(),
  noteId: Type.String(),
  importId: Type.String(),
  endpointId: Type.String(),
  deliveryId: Type.String(),
  operatorId: uuid,
  sessionId: uuid,
  passkeyId: uuid,
  keyId: uuid,
  change: number(15),
  campaign: number(9),
  tier: number(3),
  file: DropFileName,
} as const;

type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? (Rest extends `${infer Name}/${string}` ? Name : Rest) | NamesIn<Rest>
  : never;

export type PathParameters<Path extends string> = {
  readonly [Name in NamesIn<Path> & keyof typeof pathParameters]: Static<
    (typeof pathParameters)[Name]
  >;
};
