import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { WantedChange } from '../../../contract/operator/changes.ts';
import { decimalsOf, writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import type { TillKind, TillTest, TillView } from '../../../contract/operator/drop/till.ts';
import { TILLS } from '../../../contract/operator/drop/tills.ts';
import { call, useRead } from '../../api/queries.ts';
import { messageOf } from '../../api/request.ts';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent } from '../../parts/screen.tsx';
import { Button } from '../../ui/buttons.tsx';
import {
  CodeText,
  KeyValues,
  Pill,
  RelativeTime,
  Section,
  Stat,
  StatRow,
} from '../../ui/facts.tsx';
import type { FieldValues, FormFields } from '../../ui/form-fields.tsx';
import { formatCount } from '../../ui/formats.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { REFRESH_MS } from './steer-offers.tsx';

const TEST_TIMEOUT_MS = 60_000;

export function TillSection() {
  const query = useRead('GET till', { refetchInterval: REFRESH_MS });
  const mayWrite = useMayWrite();
  const test = useMutation({
    mutationFn: () => call('POST testTill', { timeoutMs: TEST_TIMEOUT_MS }),
    onSettled: () => query.refetch(),
  });
  return (
    <Section
      title="Till"
      note={query.data && `Passes are paid by: ${TILLS[query.data.kind]}`}
      actions={
        <>
          {mayWrite && (
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              Test the till
            </Button>
          )}
          {query.data && <ActionButton dialog={tillForm(query.data)} />}
        </>
      }
    >
      <div role="status">
        {test.error && <p className="drop-note">{messageOf(test.error)}</p>}
        {test.data && (
          <Table
            label="What the test found"
            columns={findingColumns}
            rows={test.data.findings}
            keyOf={({ sentence }) => sentence}
          />
        )}
      </div>
      <QueryContent query={query} lines={3}>
        {(till) => <TillFigures till={till} />}
      </QueryContent>
    </Section>
  );
}

type Finding = TillTest['findings'][number];

const findingColumns: readonly Column<Finding>[] = [
  { header: 'What the test found', cell: ({ sentence }) => sentence },
  {
    header: 'State',
    isNarrow: true,
    cell: ({ is_good: isGood }) => (
      <Pill tone={isGood ? 'charged' : 'ember'}>{isGood ? 'Good' : 'To mend'}</Pill>
    ),
  },
];

function TillFigures({ till }: { till: TillView }) {
  const { link, stripe, shopify, checkouts, overdue, failing, failure } = till;
  const { kind, notices_url: url } = till;
  const hasCheckouts = Object.values(checkouts).some((count) => count > 0);
  return (
    <>
      {(hasCheckouts || kind !== 'link') && (
        <StatRow label="Checkouts of passes">
          <Stat label="Not made yet" value={formatCount(checkouts.wanted)} />
          <Stat label="To be paid" value={formatCount(checkouts.created)} />
          <Stat label="Paid" value={formatCount(checkouts.paid)} isCharged />
          <Stat label="Not paid in time" value={formatCount(checkouts.expired)} />
          {overdue > 0 && <Stat label="Past their pay-by time" value={formatCount(overdue)} />}
        </StatRow>
      )}
      <KeyValues
        entries={{
          Link: link && (link.url ?? null),
          Price: stripe && `${writeAmount(stripe.cents, stripe.currency)} ${stripe.currency}`,
          Shop: shopify && `${shopify.shop}, product ${shopify.product}`,
          Account: till.account ? describeAccount(till) : undefined,
          'Webhook calls': url ? (
            <CodeText label="the address of the webhook" value={url} />
          ) : undefined,
          'Failed calls': failing > 0 ? formatCount(failing) : undefined,
          'Last failure': failure ?? undefined,
          'Without keys': till.keyless.join(' ') || undefined,
          'Payments by hand':
            till.by_hand > 0 ? (
              <Link href="/money">{`Settle ${formatCount(till.by_hand)}`}</Link>
            ) : undefined,
          Compared: till.compared_at ? <RelativeTime at={till.compared_at} /> : undefined,
        }}
      />
    </>
  );
}

const describeAccount = ({ account, is_live: isLive }: TillView) =>
  isLive ? account : `${account}, a test: no money moves`;

type LinkField = 'url' | 'reports';
type StripeField = 'price' | 'currency' | 'countries' | 'secretKey' | 'webhookSecret';
type ShopifyField = 'shop' | 'product' | 'clientId' | 'clientSecret';
type Field = 'kind' | LinkField | StripeField | ShopifyField;
type Values = FieldValues<Field>;

const tillForm = (till: TillView) =>
  changeForm<Field>({
    title: 'Choose the till',
    confirmLabel: 'Choose',
    undoNote: 'Choose another one to change it again.',
    fields: {
      kind: { label: 'Passes are paid by', kind: 'segmented', value: till.kind, options: TILLS },
      ...shownFor('link', linkFields(till)),
      ...shownFor('stripe', stripeFields(till)),
      ...shownFor('shopify', shopifyFields(till)),
    },
    want: (values) => readTill(values, till.kind === values.kind),
  });

function shownFor<Name extends Field>(kind: TillKind, fields: Pick<FormFields<Field>, Name>) {
  const isShown = (values: Values) => values.kind === kind;
  const entries = Object.entries<object>(fields).map(([name, field]) => [
    name,
    { ...field, isShown },
  ]);
  return Object.fromEntries(entries) as typeof fields;
}

const linkFields = ({ link }: TillView): Pick<FormFields<Field>, LinkField> => ({
  url: {
    label: 'Link to the shop',
    value: link?.url ?? '',
    maxLength: 500,
    hint: 'With {code} where the code goes; without it, the code follows the end.',
  },
  reports: {
    label: 'The shop redeems each pass by the API before it accepts an order',
    kind: 'checkbox',
    value: link?.reports ? 'yes' : '',
  },
});

/** A secret, which the server keeps while its field is empty, unless another till is chosen. */
const secret = (label: string, isStored: boolean, hint = '') => ({
  label,
  kind: 'secret' as const,
  hint: isStored ? 'Leave it empty to keep the stored one.' : hint,
});
const RIGHTS =
  'A restricted key writes Checkout Sessions, Charges and Refunds, and reads PaymentIntents, ' +
  'Disputes, Payment Links and Webhook Endpoints.';

const stripeFields = ({ stripe }: TillView): Pick<FormFields<Field>, StripeField> => ({
  price: {
    label: 'Price, shipping included',
    inputMode: 'decimal',
    value: stripe ? writeAmount(stripe.cents, stripe.currency) : '',
    isShort: true,
  },
  currency: { label: 'Currency', value: stripe?.currency ?? 'EUR', maxLength: 3, isShort: true },
  countries: {
    label: 'Countries that masks are sent to',
    value: stripe?.countries.join(' ') ?? '',
    hint: 'Their codes, such as DE AT CH.',
  },
  secretKey: secret('Secret or restricted key', stripe !== undefined, RIGHTS),
  webhookSecret: secret('Signing secret of its webhook', stripe !== undefined),
});

const shopifyFields = ({ shopify }: TillView): Pick<FormFields<Field>, ShopifyField> => ({
  shop: {
    label: 'Address of the shop',
    value: shopify?.shop ?? '',
    hint: 'As in our-shop.myshopify.com.',
  },
  product: {
    label: 'Number of the product',
    value: shopify?.product ?? '',
    hint: 'The last part of its address in the admin. Its variants are the sizes.',
  },
  clientId: { label: 'Client ID of your app', value: shopify?.client_id ?? '' },
  clientSecret: secret('Client secret of your app', shopify !== undefined),
});

function readTill(values: Values, hasKeys: boolean): WantedChange | string {
  if (values.kind === 'stripe') return readStripe(values, hasKeys);
  if (values.kind === 'shopify') return readShopify(values, hasKeys);
  const { url, reports } = values;
  const link = { reports: reports !== '', ...(url !== '' && { url }) };
  return { kind: 'set-till', input: { link } };
}

function readStripe(values: Values, hasKeys: boolean): WantedChange | string {
  const { price, secretKey, webhookSecret } = values;
  const currency = values.currency.toUpperCase();
  const isCurrency = /^[A-Z]{3}$/.test(currency);
  const decimals = decimalsOf(currency);
  const [, whole, part = ''] = /^(\d{1,8})(?:[.,](\d+))?$/.exec(price) ?? [];
  const isPrice = whole !== undefined && (part === '' || part.length === decimals);
  if (!isPrice || !isCurrency)
    return `Write the price as in ${(99).toFixed(decimals)}, and the currency as in EUR.`;
  const countries = values.countries.toUpperCase().match(/[^\s,]+/g) ?? [];
  if (countries.length === 0 || countries.some((code) => !/^[A-Z]{2}$/.test(code)))
    return 'Write the codes of the countries, such as DE AT CH.';
  if (!hasKeys && (secretKey === '' || webhookSecret === ''))
    return 'Enter the key and the signing secret of Stripe.';
  const cents = Number(whole + part.padEnd(decimals, '0'));
  return {
    kind: 'set-till',
    input: {
      stripe: { cents, currency, countries },
      ...(secretKey !== '' && { secret_key: secretKey }),
      ...(webhookSecret !== '' && { webhook_secret: webhookSecret }),
    },
  };
}

function readShopify(values: Values, hasKeys: boolean): WantedChange | string {
  const { product, clientId: client_id, clientSecret: secret_key } = values;
  const shop = values.shop.toLowerCase();
  if (!/^[a-z0-9-]+\.myshopify\.com$/.test(shop) || !/^[1-9]\d*$/.test(product))
    return 'Write the shop as in our-shop.myshopify.com, and the number of the product.';
  if (client_id === '' || (!hasKeys && secret_key === ''))
    return 'Enter the client ID and the client secret of your app.';
  const input = { shopify: { shop, client_id, product }, ...(secret_key !== '' && { secret_key }) };
  return { kind: 'set-till', input };
}
