/** What the server, its description and the command line know of each call of an operator. */
import type { TObject, TSchema } from 'typebox';
import {
  AddPasskeyRequest,
  InviteRequest,
  NewKeyRequest,
  PasskeySignInRequest,
  RenamePasskeyRequest,
  RoleRequest,
  SignInLinkRequest,
  SignInMailRequest,
  SignInRequest,
} from './access.ts';
import { AuditPageRequest, ChangeRequest, PreviewRequest, UndoRequest } from './changes.ts';
import { DropFileRequest } from './drop/drop-files.ts';
import { OfferListRequest } from './drop/listed-offers.ts';
import { RedeemRequest, ScanRequest, UndoScanRequest } from './drop/offers.ts';
import { OrderExportRequest, OrderReportRequest } from './drop/orders.ts';
import { FirstRequest } from './first-in-line.ts';
import { ImportChunk, ImportMapping, NewImport, ReportPageRequest } from './imports/list-import.ts';
import { TopInvitersRequest } from './inviters.ts';
import { CampaignEdit, CampaignPageRequest, CampaignRequest } from './mail/campaigns.ts';
import { MailPageRequest, ResumeMailRequest, TestMailRequest } from './mails.ts';
import { CountMembersRequest, ExportMembersRequest, MemberListRequest } from './member-list.ts';
import { FriendsRequest, NoteRequest } from './member-sheet.ts';
import { ExportRequest, FindMembersRequest } from './members.ts';
import { OverviewRequest } from './overview.ts';
import type { operatorPaths } from './paths.ts';
import { RewardExportRequest, RewardListRequest } from './rewards/rewards.ts';
import { VerifyRequest } from './verification.ts';
import {
  AddEndpointRequest,
  DeliveryPageRequest,
  EditEndpointRequest,
  EndpointReason,
} from './webhooks/webhooks.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type CallDescription = {
  readonly summary: string;
  readonly querystring?: TObject;
  readonly body?: TSchema;
};

export const operatorCalls = {
  'GET overview': {
    summary: 'Members, visits, invites and sources, by hour or day of a time zone',
    querystring: OverviewRequest,
  },
  'GET overviewHealth': { summary: 'Stock, mail, guards, database and backups' },
  'GET counts': { summary: 'Members in line, masks remaining, top referrer' },
  'POST findMembers': {
    summary: 'Find a member by id, e-mail address or referral code',
    body: FindMembersRequest,
  },
  'GET exportMembers': {
    summary: 'Export all members in order of position',
    querystring: ExportRequest,
  },
  'POST exportMembers': {
    summary: 'Export the members that match a filter, in order of position',
    body: ExportMembersRequest,
  },
  'GET member': {
    summary: 'A member and why they stand where they do: friends, mails, notes, changes',
  },
  'POST listMembers': { summary: 'Members that match a filter, in pages', body: MemberListRequest },
  'POST countMembers': { summary: 'How many members match a filter', body: CountMembersRequest },
  'GET topInviters': {
    summary: 'Who brought the most friends, in the last week or another time, and from where',
    querystring: TopInvitersRequest,
  },
  'GET friends': {
    summary: 'Friends that a member brought, in order of joining, in pages',
    querystring: FriendsRequest,
  },
  'GET memberDrop': { summary: 'The drop as it concerns one member: sizes, offers, rewards' },
  'POST notes': {
    summary: 'Add a note about a member, which is part of the data that they may ask for',
    body: NoteRequest,
  },
  'PUT note': { summary: 'Change a note of one’s own', body: NoteRequest },
  'DELETE note': { summary: 'Delete a note of one’s own' },
  'GET firstInLine': {
    summary: 'Who a freeze would put first, those who are most alike on top',
    querystring: FirstRequest,
  },
  'GET sizes': { summary: 'Stock, allocated and available masks per size' },
  'GET allocations': { summary: 'Masks set aside: for whom, when, and whether they are released' },
  'GET drop': { summary: 'How the last drop stands' },
  'GET offers': { summary: 'How the offers of the last drop stand' },
  'POST listOffers': { summary: 'Offers of the last drop, in pages', body: OfferListRequest },
  'GET exportDrop': {
    summary: 'A file of a drop as CSV, of one moment',
    querystring: DropFileRequest,
  },
  'GET schedule': { summary: 'The steps that the last drop takes by itself' },
  'GET till': { summary: 'The till, without its keys' },
  'POST testTill': {
    summary: 'Ask the till whether it is ready, and whether others could buy a mask',
  },
  'GET money': { summary: 'What was paid for masks, by pass and in sum' },
  'POST redeemPass': { summary: 'Pay a pass by an order', body: RedeemRequest },
  'GET doorPasses': { summary: 'Passes of each drop, the last drop first, and how many are used' },
  'POST scanPass': {
    summary: 'Hand over the mask of a pass at a door, and say whose it is',
    body: ScanRequest,
  },
  'POST undoScan': {
    summary: 'Undo a scan within a minute of the hand-over',
    body: UndoScanRequest,
  },
  'POST resumeMail': {
    summary: 'Send mail again to an address that unsubscribed, bounced or complained: ask first',
    body: ResumeMailRequest,
  },
  'POST testMail': {
    summary: 'Send a test mail, and say what the mail server answers',
    body: TestMailRequest,
  },
  'GET waitingMails': {
    summary: 'Mails that wait for their first or next attempt',
    querystring: MailPageRequest,
  },
  'GET failedMails': {
    summary: 'Mails of the last 30 days that never arrived',
    querystring: MailPageRequest,
  },
  'GET suppressedAddresses': {
    summary: 'Addresses that get no mail, and why',
    querystring: MailPageRequest,
  },
  'POST previewChange': { summary: 'What a change would do', body: PreviewRequest },
  'GET changes': {
    summary: 'What operators did, newest first, and what can still be undone',
    querystring: AuditPageRequest,
  },
  'POST changes': { summary: 'Make a change', body: ChangeRequest },
  'POST undoChange': {
    summary: 'Undo a change of the last 24 hours, by its number',
    body: UndoRequest,
  },
  'GET webhooks': { summary: 'Webhooks with their state, oldest first' },
  'POST webhooks': { summary: 'Add a webhook', body: AddEndpointRequest },
  'GET webhook': { summary: 'One webhook, with its URL' },
  'PUT webhook': { summary: 'Change a webhook, or switch it on or off', body: EditEndpointRequest },
  'POST removeWebhook': { summary: 'Remove a webhook with its log', body: EndpointReason },
  'POST rotateWebhook': { summary: 'Give a webhook a new secret', body: EndpointReason },
  'POST testWebhook': { summary: 'Send a test event, and say what came of it' },
  'GET webhookDeliveries': {
    summary: 'What was sent to a webhook, newest first',
    querystring: DeliveryPageRequest,
  },
  'POST replayDelivery': { summary: 'Send an event once more, and say what came of it' },
  'GET campaigns': { summary: 'Mails to a part of the line', querystring: CampaignPageRequest },
  'POST campaigns': { summary: 'Write a campaign', body: CampaignRequest },
  'GET campaign': { summary: 'A campaign and its counts' },
  'PUT campaign': { summary: 'Edit a draft', body: CampaignEdit },
  'DELETE campaign': { summary: 'Delete a draft' },
  'GET campaignPreview': { summary: 'The mail as a member gets it, as text' },
  'GET campaignHtml': { summary: 'The mail as a member gets it, as HTML' },
  'POST testCampaign': {
    summary: 'Send the mail of a campaign to one address',
    body: TestMailRequest,
  },
  'GET imports': { summary: 'Imports of the last day' },
  'POST imports': { summary: 'Begin to import a list', body: NewImport },
  'GET listImport': { summary: 'One import: its file, its columns, and how far it is' },
  'DELETE listImport': { summary: 'Delete the file of an import: members who were imported stay' },
  'POST importChunks': { summary: 'Send the next chunk of the file', body: ImportChunk },
  'PUT importMapping': {
    summary: 'Say what the columns are, and check the rows',
    body: ImportMapping,
  },
  'GET importReport': {
    summary: 'Faults and notes of a check, by line',
    querystring: ReportPageRequest,
  },
  'GET importOrders': {
    summary: 'Compare the orders of an uploaded file with the passes',
    querystring: OrderReportRequest,
  },
  'GET exportOrders': {
    summary: 'The same as CSV: what was found about every order, pass and row',
    querystring: OrderExportRequest,
  },
  'GET rewards': {
    summary: 'The rewards of each tier: how many are owed and sent, and what they cost',
  },
  'GET rewardsOfTier': {
    summary: 'Members whose reward of a tier is in a state, in pages',
    querystring: RewardListRequest,
  },
  'GET exportRewards': {
    summary: 'Export the rewards of a tier, and where to send them',
    querystring: RewardExportRequest,
  },
  'GET joining': { summary: 'Whether joining is paused, and what visitors are told' },
  'POST verify': {
    summary: 'Recompute every position, point and count, and the audit log',
    querystring: VerifyRequest,
  },
  'GET backup': { summary: 'Back up the whole waitlist' },
  'POST signIn': { summary: 'Sign in with the token of a link', body: SignInRequest },
  'POST signInMail': { summary: 'Mail a sign-in link to an operator', body: SignInMailRequest },
  'POST signInLinks': { summary: 'Make a sign-in link', body: SignInLinkRequest },
  'POST passkeyChallenge': { summary: 'Begin to sign in with a passkey' },
  'POST passkeySignIn': { summary: 'Sign in with a passkey', body: PasskeySignInRequest },
  'GET me': { summary: 'Who calls' },
  'DELETE session': { summary: 'Sign out' },
  'GET sessions': { summary: 'Your open sessions' },
  'DELETE oneSession': { summary: 'End one of your sessions' },
  'GET operators': { summary: 'Who may enter the console' },
  'POST operators': { summary: 'Invite an operator', body: InviteRequest },
  'DELETE operator': { summary: 'Remove an operator, and revoke the API keys that they made' },
  'PUT operatorRole': { summary: 'Change what an operator may do', body: RoleRequest },
  'DELETE operatorSessions': { summary: 'End all sessions of an operator, who must sign in again' },
  'GET passkeys': { summary: 'Your passkeys' },
  'POST passkeys': { summary: 'Add a passkey', body: AddPasskeyRequest },
  'POST newPasskey': { summary: 'Begin to add a passkey' },
  'PUT passkey': { summary: 'Rename a passkey', body: RenamePasskeyRequest },
  'DELETE passkey': { summary: 'Remove a passkey' },
  'GET keys': { summary: 'API keys, of which only the beginning is shown' },
  'POST keys': { summary: 'Make an API key', body: NewKeyRequest },
  'DELETE key': { summary: 'Revoke an API key' },
} as const satisfies Partial<Record<`${Method} ${keyof typeof operatorPaths}`, CallDescription>>;

export type OperatorCall = keyof typeof operatorCalls;
