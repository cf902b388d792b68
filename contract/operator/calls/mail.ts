import { Type } from 'typebox';
import {
  Campaign,
  CampaignEdit,
  CampaignPageRequest,
  CampaignPreview,
  CampaignRequest,
  Campaigns,
} from '../mail/campaigns.ts';
import {
  FailedMails,
  MailPageRequest,
  ResumedMail,
  ResumeMailRequest,
  SuppressedAddresses,
  TestMail,
  TestMailRequest,
  WaitingMails,
} from '../mails.ts';
import {
  AddEndpointRequest,
  DeliveryPageRequest,
  EditEndpointRequest,
  EndpointReason,
  EndpointWithSecret,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoints,
  WholeEndpoint,
} from '../webhooks/webhooks.ts';
import type { CallDescriptions } from './call.ts';

export const mailCalls = {
  'POST resumeMail': {
    access: 'write',
    summary: 'Send mail again to an address that unsubscribed, bounced or complained: ask first',
    description: 'Says why it was suppressed; null when it was not.',
    body: ResumeMailRequest,
    answer: ResumedMail,
  },
  'POST testMail': {
    access: 'write',
    summary: 'Send a test mail, and say what the mail server answers',
    description:
      'Says what the mail server answered, or why it failed. An hour has 20 test mails, of ' +
      "campaigns too, to addresses that are not operators'.",
    body: TestMailRequest,
    answer: TestMail,
  },
  'GET waitingMails': {
    access: 'read',
    summary: 'Mails that wait for their first or next attempt',
    description: 'In pages, oldest first.',
    querystring: MailPageRequest,
    answer: WaitingMails,
  },
  'GET failedMails': {
    access: 'read',
    summary: 'Mails of the last 30 days that never arrived',
    description: 'In pages, newest first.',
    querystring: MailPageRequest,
    answer: FailedMails,
  },
  'GET suppressedAddresses': {
    access: 'read',
    summary: 'Addresses that get no mail, and why',
    description: 'In pages, newest first. They are kept as hashes: only members in line are named.',
    querystring: MailPageRequest,
    answer: SuppressedAddresses,
  },
  'GET webhooks': {
    access: 'read',
    summary: 'Webhooks with their state, oldest first',
    answer: WebhookEndpoints,
  },
  'POST webhooks': {
    access: 'owner',
    summary: 'Add a webhook',
    description: 'It gets the events from now on. The answer has its secret, this once.',
    body: AddEndpointRequest,
    answer: EndpointWithSecret,
    status: 201,
    refusals: [409],
  },
  'GET webhook': {
    access: 'owner',
    summary: 'One webhook, with its URL',
    answer: WholeEndpoint,
    refusals: [404],
  },
  'PUT webhook': {
    access: 'owner',
    summary: 'Change a webhook, or switch it on or off',
    description:
      'Switched off, it gives up waiting events. Switched on, it gets events from then on.',
    body: EditEndpointRequest,
    answer: WholeEndpoint,
    refusals: [404],
  },
  'POST removeWebhook': {
    access: 'owner',
    summary: 'Remove a webhook with its log',
    body: EndpointReason,
    refusals: [404],
  },
  'POST rotateWebhook': {
    access: 'owner',
    summary: 'Give a webhook a new secret',
    description: 'For 24 hours events are signed with both. Rotate again to end that at once.',
    body: EndpointReason,
    answer: EndpointWithSecret,
    refusals: [404],
  },
  'POST testWebhook': {
    access: 'owner',
    summary: 'Send a test event, and say what came of it',
    answer: WebhookDelivery,
    refusals: [404],
  },
  'GET webhookDeliveries': {
    access: 'read',
    summary: 'What was sent to a webhook, newest first',
    description: 'Of the last 7 days, at most 10,000.',
    querystring: DeliveryPageRequest,
    answer: WebhookDeliveries,
    refusals: [404],
  },
  'POST replayDelivery': {
    access: 'owner',
    summary: 'Send an event once more, and say what came of it',
    description: 'Under the same webhook-id, by which the receiver knows it.',
    answer: WebhookDelivery,
    refusals: [404],
  },
  'GET campaigns': {
    access: 'read',
    summary: 'Mails to a part of the line',
    description: 'In pages, newest first, with how many were sent, wait and failed.',
    querystring: CampaignPageRequest,
    answer: Campaigns,
  },
  'POST campaigns': {
    access: 'write',
    summary: 'Write a campaign',
    description: 'A draft: nothing is sent. The change "send-campaign" sends it.',
    body: CampaignRequest,
    answer: Campaign,
    status: 201,
  },
  'GET campaign': {
    access: 'read',
    summary: 'A campaign and its counts',
    answer: Campaign,
    refusals: [404],
  },
  'PUT campaign': {
    access: 'write',
    summary: 'Edit a draft',
    body: CampaignEdit,
    answer: Campaign,
    refusals: [404, 409],
  },
  'DELETE campaign': { access: 'write', summary: 'Delete a draft', refusals: [404, 409] },
  'GET campaignPreview': {
    access: 'read',
    summary: 'The mail as a member gets it, as text',
    description: 'With made-up numbers.',
    answer: CampaignPreview,
    refusals: [404],
  },
  'GET campaignHtml': {
    access: 'read',
    summary: 'The mail as a member gets it, as HTML',
    description: 'With made-up numbers. For a frame: without scripts, and of no origin.',
    answer: Type.String(),
    refusals: [404],
  },
  'POST testCampaign': {
    access: 'write',
    summary: 'Send the mail of a campaign to one address',
    description:
      'With made-up numbers, at once. Says what the mail server answered. An hour has 20 test ' +
      "mails to addresses that are not operators'.",
    body: TestMailRequest,
    answer: TestMail,
    refusals: [404, 409],
  },
} as const satisfies CallDescriptions;
