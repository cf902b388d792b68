/** What server, description, console and command line have in common of each call. */
import type { Static, TSchema } from 'typebox';
import type { PathValues } from '../paths.ts';
import { accessCalls } from './calls/access.ts';
import type { CallDescription, CallDescriptions, Method } from './calls/call.ts';
import { dropCalls } from './calls/drop.ts';
import { lineCalls } from './calls/line.ts';
import { mailCalls } from './calls/mail.ts';
import type { operatorPaths } from './paths.ts';

export const operatorCalls = {
  ...lineCalls,
  ...dropCalls,
  ...mailCalls,
  ...accessCalls,
} as const satisfies CallDescriptions;

export type OperatorCall = keyof typeof operatorCalls;

type Paths = typeof operatorPaths;
type Calls = typeof operatorCalls;
type Part<Name extends OperatorCall, Key extends keyof CallDescription, None> =
  Calls[Name] extends Readonly<Record<Key, infer Schema extends TSchema>> ? Static<Schema> : None;

export type CallPath<Name extends OperatorCall> =
  Name extends `${Method} ${infer Path extends keyof Paths}` ? Paths[Path] : never;
export type CallBody<Name extends OperatorCall> = Part<Name, 'body', undefined>;
export type CallQuery<Name extends OperatorCall> = Part<Name, 'querystring', object>;
export type CallAnswer<Name extends OperatorCall> = Part<Name, 'answer', void>;

/** The values of the parameters of its path, where it has any, and of the query. */
export type CallPlace<Name extends OperatorCall> = {
  readonly query?: { readonly [Key in keyof CallQuery<Name>]?: string | number | null | undefined };
} & (PathValues<CallPath<Name>> extends readonly []
  ? { readonly at?: undefined }
  : { readonly at: Readonly<PathValues<CallPath<Name>>> });

export type CallRequest<Name extends OperatorCall> = CallPlace<Name> &
  (CallBody<Name> extends undefined
    ? { readonly body?: undefined }
    : { readonly body: CallBody<Name> });

/** An argument that is left out where nothing in it must be given. */
export type Given<All> = Record<never, never> extends All ? [all?: All] : [all: All];
