import { Type } from 'typebox';
import {
  AuditPage,
  AuditPageRequest,
  ChangePreview,
  ChangeRequest,
  Joining,
  MadeChange,
  PreviewRequest,
  UndoRequest,
} from '../changes.ts';
import { MemberDrop } from '../drop/drop-facts.ts';
import { FirstInLine, FirstRequest } from '../first-in-line.ts';
import {
  ImportChunk,
  ImportMapping,
  ListImport,
  ListImports,
  NewImport,
  ReportPage,
  ReportPageRequest,
} from '../imports/list-import.ts';
import { TopInviters, TopInvitersRequest } from '../inviters.ts';
import {
  CountMembersRequest,
  ExportMembersRequest,
  ListedMember,
  MemberCount,
  MemberListRequest,
  MemberPage,
} from '../member-list.ts';
import { Friends, FriendsRequest, MemberSheet, Note, NoteRequest } from '../member-sheet.ts';
import { Counts, ExportRequest, FindMembersRequest, FoundMembers } from '../members.ts';
import { Overview, OverviewHealth, OverviewRequest } from '../overview.ts';
import { RewardExportRequest, RewardListRequest, RewardPage, Rewards } from '../rewards/rewards.ts';
import { Verification, VerifyRequest } from '../verification.ts';
import type { CallDescriptions } from './call.ts';

export const lineCalls = {
  'GET overview': {
    access: 'read',
    summary: 'Members, visits, invites and sources, by hour or day of a time zone',
    querystring: OverviewRequest,
    answer: Overview,
    refusals: [400],
  },
  'GET overviewHealth': {
    access: 'read',
    summary: 'Stock, mail, guards, database and backups',
    answer: OverviewHealth,
  },
  'GET counts': {
    access: 'read',
    summary: 'Members in line, masks remaining, top referrer',
    answer: Counts,
  },
  'POST findMembers': {
    access: 'read',
    summary: 'Find a member by id, e-mail address or referral code',
    body: FindMembersRequest,
    answer: FoundMembers,
  },
  'GET exportMembers': {
    access: 'export',
    summary: 'Export all members in order of position',
    description: 'One backup or export at a time: 409 while another is running.',
    querystring: ExportRequest,
    file: {
      'text/csv': Type.String(),
      'application/json': Type.Array(ListedMember),
      'application/jsonl': Type.String(),
    },
    refusals: [409],
  },
  'POST exportMembers': {
    access: 'export',
    summary: 'Export the members that match a filter, in order of position',
    description: 'One backup or export at a time: 409 while another is running.',
    body: ExportMembersRequest,
    file: {
      'text/csv': Type.String(),
      'application/json': Type.Array(ListedMember),
      'application/jsonl': Type.String(),
    },
    refusals: [409],
  },
  'GET member': {
    access: 'read',
    summary: 'A member and why they stand where they do: friends, mails, notes, changes',
    answer: MemberSheet,
    refusals: [404],
  },
  'POST listMembers': {
    access: 'read',
    summary: 'Members that match a filter, in pages',
    body: MemberListRequest,
    answer: MemberPage,
  },
  'POST countMembers': {
    access: 'read',
    summary: 'How many members match a filter',
    body: CountMembersRequest,
    answer: MemberCount,
  },
  'GET topInviters': {
    access: 'read',
    summary: 'Who brought the most friends, in the last week or another time, and from where',
    querystring: TopInvitersRequest,
    answer: TopInviters,
  },
  'GET friends': {
    access: 'read',
    summary: 'Friends that a member brought, in order of joining, in pages',
    querystring: FriendsRequest,
    answer: Friends,
    refusals: [404],
  },
  'GET memberDrop': {
    access: 'read',
    summary: 'The drop as it concerns one member: sizes, offers, rewards',
    answer: MemberDrop,
    refusals: [404],
  },
  'POST notes': {
    access: 'write',
    summary: 'Add a note about a member, which is part of the data that they may ask for',
    body: NoteRequest,
    answer: Note,
    status: 201,
    refusals: [404],
  },
  'PUT note': {
    access: 'write',
    summary: 'Change a note of one’s own',
    body: NoteRequest,
    answer: Note,
    refusals: [404],
  },
  'DELETE note': { access: 'write', summary: 'Delete a note of one’s own', refusals: [404] },
  'GET firstInLine': {
    access: 'read',
    summary: 'Who a freeze would put first, those who are most alike on top',
    querystring: FirstRequest,
    answer: FirstInLine,
  },
  'POST previewChange': {
    access: 'write',
    summary: 'What a change would do',
    description: 'Changes nothing. Shows addresses, so a key needs the scope read, too.',
    body: PreviewRequest,
    answer: ChangePreview,
    refusals: [404, 409],
  },
  'GET changes': {
    access: 'read',
    summary: 'What operators did, newest first, and what can still be undone',
    querystring: AuditPageRequest,
    answer: AuditPage,
  },
  'POST changes': {
    access: 'write',
    summary: 'Make a change',
    description:
      'With its entry in the audit log, in one transaction. An import, which is for owners ' +
      'alone, or a decision about many credits goes on after it, and is then answered.',
    body: ChangeRequest,
    answer: MadeChange,
    status: 201,
    refusals: [404, 409],
  },
  'POST undoChange': {
    access: 'write',
    summary: 'Undo a change of the last 24 hours, by its number',
    description: 'The undo is an entry of the audit log, too.',
    body: UndoRequest,
    answer: MadeChange,
    status: 201,
    refusals: [404, 409],
  },
  'GET imports': { access: 'owner', summary: 'Imports of the last day', answer: ListImports },
  'POST imports': {
    access: 'owner',
    summary: 'Begin to import a list',
    description:
      'Its file follows in chunks, with 200,000 rows at most. It is deleted after a day.',
    body: NewImport,
    answer: ListImport,
    status: 201,
    refusals: [409],
  },
  'GET listImport': {
    access: 'owner',
    summary: 'One import: its file, its columns, and how far it is',
    answer: ListImport,
    refusals: [404],
  },
  'DELETE listImport': {
    access: 'owner',
    summary: 'Delete the file of an import: members who were imported stay',
    refusals: [404],
  },
  'POST importChunks': {
    access: 'owner',
    summary: 'Send the next chunk of the file',
    description: 'After the last one, the answer has the columns of the file.',
    body: ImportChunk,
    answer: ListImport,
    refusals: [404, 409],
  },
  'PUT importMapping': {
    access: 'owner',
    summary: 'Say what the columns are, and check the rows',
    description: 'Changes nobody: a dry run, which goes on after the answer.',
    body: ImportMapping,
    answer: ListImport,
    refusals: [404, 409],
  },
  'GET importReport': {
    access: 'owner',
    summary: 'Faults and notes of a check, by line',
    querystring: ReportPageRequest,
    answer: ReportPage,
    refusals: [404],
  },
  'GET rewards': {
    access: 'read',
    summary: 'The rewards of each tier: how many are owed and sent, and what they cost',
    description: 'At most 2 seconds old.',
    answer: Rewards,
  },
  'GET rewardsOfTier': {
    access: 'read',
    summary: 'Members whose reward of a tier is in a state, in pages',
    description: 'Where to send it is in the export alone.',
    querystring: RewardListRequest,
    answer: RewardPage,
  },
  'GET exportRewards': {
    access: 'export',
    summary: 'Export the rewards of a tier, and where to send them',
    description: 'One backup or export at a time: 409 while another is running.',
    querystring: RewardExportRequest,
    file: { 'text/csv': Type.String() },
    refusals: [409],
  },
  'GET joining': {
    access: 'read',
    summary: 'Whether joining is paused, and what visitors are told',
    answer: Joining,
  },
  'POST verify': {
    access: 'read',
    summary: 'Recompute every position, point and count, and the audit log',
    description: 'Changes nothing. Lists what differs.',
    querystring: VerifyRequest,
    answer: Verification,
  },
  'GET backup': {
    access: 'owner',
    summary: 'Back up the whole waitlist',
    description: 'One backup or export at a time: 409 while another is running.',
    file: { 'application/octet-stream': Type.String() },
    refusals: [409, 503],
  },
} as const satisfies CallDescriptions;
