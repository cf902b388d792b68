/** What the till asks Shopify. A test compares it with the schema that Shopify publishes. */

export const API_VERSION = '2026-10';
/** Larger pages cost more than a call may. */
const PAGE = 25;

const MONEY = '{ shopMoney { amount currencyCode } }';
const ORDER = `id name displayFinancialStatus cancelledAt customAttributes { key value }
  totalReceivedSet ${MONEY} totalRefundedSet ${MONEY} disputes { initiatedAs status }
  shippingAddress { name address1 address2 city provinceCode zip countryCodeV2 phone }
  lineItems(first: 2) { nodes { quantity product { id } discountedTotalSet ${MONEY} } }`;
const DRAFT = `id createdAt invoiceUrl customAttributes { key value }
  lineItems(first: 1) { nodes { quantity discountedTotalSet ${MONEY} } } order { ${ORDER} }`;

const list = (name: string, fields: string) => `query ($search: String!, $after: String) {
  ${name}(first: ${PAGE}, query: $search, after: $after) {
  nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;

export const queries = {
  readShop: 'query { shop { id plan { partnerDevelopment } } }',
  readProduct: `query ($id: ID!) { shop { taxesIncluded } product(id: $id) { onlineStoreUrl
    priceRangeV2 { minVariantPrice { amount currencyCode } maxVariantPrice { amount currencyCode } }
    variants(first: 100) { nodes { id selectedOptions { value } } } } }`,
  readDraft: `query ($id: ID!) { draftOrder(id: $id) { ${DRAFT} } }`,
  readOrder: `query ($id: ID!) { order(id: $id) { ${ORDER} } }`,
  draftOrders: list('draftOrders', DRAFT),
  orders: list('orders', ORDER),
  create: `mutation ($input: DraftOrderInput!) { draftOrderCreate(input: $input) {
    draftOrder { ${DRAFT} } userErrors { message } } }`,
  delete: `mutation ($id: ID!) { draftOrderDelete(input: { id: $id }) {
    userErrors { message } } }`,
  cancel: `mutation ($id: ID!) { orderCancel(orderId: $id, reason: OTHER, restock: true,
    notifyCustomer: true, refundMethod: { originalPaymentMethodsRefund: true }) {
    userErrors: orderCancelUserErrors { message } } }`,
  subscribe: `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
    userErrors { message } } }`,
};
