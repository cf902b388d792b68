import { useMutation, useQuery } from '@tanstack/react-query';
import type { WantedChange } from '../../../contract/operator/changes.ts';
import { decimalsOf, writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import type { TillKind, TillTest, TillView } from '../../../contract/operator/drop/till.ts';
import { runTillTest, tillQuery } from '../../api/drop.ts';
import { messageOf } from '../../api/request.ts';
import { ChangeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { QueryContent } from '../../parts/query-states.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import type { Column } from '../../ui/columns.tsx';
import { CodeText, KeyValues, Pill, RelativeTime, Stat, StatRow } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Section } from '../../ui/frame.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

const KINDS: Readonly<Record<TillKind, string>> = {
  link: 'A link',
  stripe: 'Stripe',
  shopify: 'Shopify',
};

/** Shows the till, whether it is ready, and payments that paid no pass. */
export function TillSection() {
  const query = useQuery(tillQuery);
  const mayWrite = useMayWrite();
  const test = useMutation({ mutationFn: runTillTest, onSettled: () => query.refetch() });
  return (
    <Section
      title="Till"
      note={query.data && `Passes are paid by: ${KINDS[query.data.kind]}`}
      actions={
        <>
          {mayWrite && (
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              Test the till
            </Button>
          )}
          {query.data && (
            <ActionButton
              label="Choose the till"
              dialog={(close) => <TillForm till={query.data} onClose={close} />}
            />
          )}
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
            empty={<EmptyState title="Nothing to say">The till says nothing.</EmptyState>}
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
  {
    header: 'State',
    isNarrow: true,
    cell: ({ is_good: isGood }) => (
      <Pill tone={isGood ? 'charged' : 'ember'}>{isGood ? 'Good' : 'Look'}</Pill>
    ),
  },
  { header: 'What the test found', cell: ({ sentence }) => sentence },
];

function TillFigures({ till }: { till: TillView }) {
  const { checkouts, overdue, failing, failure, notices_url: url, payments } = till;
  return (
    <>
      <StatRow label="Checkouts of passes">
        <Stat label="Wanted" value={formatCount(checkouts.wanted)} />
        <Stat label="To pay" value={formatCount(checkouts.created)} />
        <Stat label="Paid" value={formatCount(checkouts.paid)} isCharged />
        <Stat label="Not paid in time" value={formatCount(checkouts.expired)} />
        {overdue > 0 && <Stat label="Past their pay-by time" value={formatCount(overdue)} />}
      </StatRow>
      <KeyValues
        entries={{
          'Webhook calls': url ? (
            <CodeText label="the address of the webhook" value={url} />
          ) : undefined,
          'Waits for the till': failing > 0 ? formatCount(failing) : undefined,
          'Last failure': failure ?? undefined,
          Compared: till.compared_at ? <RelativeTime at={till.compared_at} /> : undefined,
        }}
      />
      {payments.length > 0 && (
        <Table
          label="Payments that paid no pass"
          columns={paymentColumns}
          rows={payments}
          keyOf={({ reference }) => reference}
          empty={<EmptyState title="None">Every payment paid a pass.</EmptyState>}
        />
      )}
    </>
  );
}

type Payment = TillView['payments'][number];

const STATES: Readonly<Record<Payment['state'], string>> = {
  to_refund: 'Is given back',
  refunded: 'Given back',
  foreign: 'By hand',
};

const paymentColumns: readonly Column<Payment>[] = [
  { header: 'Payment', cell: ({ reference }) => reference },
  {
    header: 'Amount',
    cell: ({ cents, currency }) => `${writeAmount(cents, currency)} ${currency}`,
  },
  {
    header: 'State',
    isNarrow: true,
    cell: ({ state }) => <Pill tone="ember">{STATES[state]}</Pill>,
  },
  { header: 'Why', isMinor: true, cell: ({ why }) => why },
];

function TillForm({ till, onClose }: { till: TillView; onClose: () => void }) {
  const shownFor = (kind: TillKind) => ({ isShown: (values: Fields) => values.kind === kind });
  const [forLink, forStripe] = [shownFor('link'), shownFor('stripe')];
  const forShopify = shownFor('shopify');
  const { link, stripe, shopify } = till;
  const price = stripe && writeAmount(stripe.cents, stripe.currency);
  const stored = till.kind === 'link' ? {} : { hint: 'Leave it empty to keep the stored one.' };
  const secret = { kind: 'secret', ...stored } as const;
  return (
    <ChangeForm
      title="Choose the till"
      confirmLabel="Choose"
      undoNote="Choose another one to change it again."
      onClose={onClose}
      fields={{
        kind: { label: 'Passes are paid by', kind: 'segmented', value: till.kind, options: KINDS },
        url: {
          ...{ label: 'Link to the shop', value: link?.url ?? '', maxLength: 500, ...forLink },
          hint: 'With {code} where the code goes; without it, the code follows the end.',
        },
        reports: {
          label: 'The shop redeems each pass by the API before it accepts an order',
          ...{ kind: 'checkbox', value: link?.reports ? 'yes' : '', ...forLink },
        },
        price: {
          label: 'Price, shipping included',
          ...{ kind: 'decimal', value: price ?? '', isShort: true, ...forStripe },
        },
        currency: {
          label: 'Currency',
          ...{ value: stripe?.currency ?? 'EUR', maxLength: 3, isShort: true, ...forStripe },
        },
        countries: {
          label: 'Countries that masks are sent to',
          hint: 'Their codes, such as DE AT CH.',
          ...{ value: stripe?.countries.join(' ') ?? '', ...forStripe },
        },
        secretKey: { label: 'Secret or restricted key', ...secret, ...forStripe },
        webhookSecret: { label: 'Signing secret of its webhook', ...secret, ...forStripe },
        shop: {
          label: 'Address of the shop',
          ...{ value: shopify?.shop ?? '', hint: 'As in our-shop.myshopify.com.', ...forShopify },
        },
        product: {
          label: 'Number of the product',
          hint: 'The last part of its address in the admin. Its variants are the sizes.',
          ...{ value: shopify?.product ?? '', ...forShopify },
        },
        clientId: {
          label: 'Client ID of your app',
          value: shopify?.client_id ?? '',
          ...forShopify,
        },
        clientSecret: { label: 'Client secret of your app', ...secret, ...forShopify },
      }}
      want={(fields) => readTillForm(fields, till.kind === fields.kind)}
    />
  );
}

type Fields = Readonly<
  Record<
    'kind' | 'url' | 'reports' | 'price' | 'currency' | 'countries' | 'secretKey' | 'webhookSecret',
    string
  > &
    Record<'shop' | 'product' | 'clientId' | 'clientSecret', string>
>;

function readTillForm(fields: Fields, hasKeys: boolean): WantedChange | string {
  const { kind, url, reports } = fields;
  if (kind === 'stripe') return readStripe(fields, hasKeys);
  if (kind === 'shopify') return readShopify(fields, hasKeys);
  const link = { reports: reports !== '', ...(url.trim() !== '' && { url: url.trim() }) };
  return { kind: 'set-till', input: { link } };
}

function readStripe(fields: Fields, hasKeys: boolean): WantedChange | string {
  const { price, currency: code, countries, secretKey, webhookSecret } = fields;
  const currency = code.trim().toUpperCase();
  const decimals = /^[A-Z]{3}$/.test(currency) ? decimalsOf(currency) : 2;
  const [, whole, part = ''] = /^(\d{1,8})(?:[.,](\d+))?$/.exec(price.trim()) ?? [];
  const codes = countries
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const isPrice = whole !== undefined && (part === '' || part.length === decimals);
  if (!isPrice || !/^[A-Z]{3}$/.test(currency))
    return `Write the price as in ${(99).toFixed(decimals)}, and the currency as in EUR.`;
  if (codes.length === 0 || codes.some((code) => !/^[A-Z]{2}$/.test(code)))
    return 'Write the codes of the countries, such as DE AT CH.';
  if (!hasKeys && (secretKey.trim() === '' || webhookSecret.trim() === ''))
    return 'Enter the key and the signing secret of Stripe.';
  const cents = Number(whole + part.padEnd(decimals, '0'));
  return {
    kind: 'set-till',
    input: {
      stripe: { cents, currency, countries: codes },
      ...(secretKey.trim() !== '' && { secret_key: secretKey.trim() }),
      ...(webhookSecret.trim() !== '' && { webhook_secret: webhookSecret.trim() }),
    },
  };
}

function readShopify(fields: Fields, hasKeys: boolean): WantedChange | string {
  const [shop = '', product = '', client_id = '', secret_key = ''] = [
    ...[fields.shop.toLowerCase(), fields.product, fields.clientId, fields.clientSecret],
  ].map((text) => text.trim());
  if (!/^[a-z0-9-]+\.myshopify\.com$/.test(shop) || !/^[1-9]\d*$/.test(product))
    return 'Write the shop as in our-shop.myshopify.com, and the number of the product.';
  if (client_id === '' || (!hasKeys && secret_key === ''))
    return 'Enter the client ID and the client secret of your app.';
  const input = { shopify: { shop, client_id, product }, ...(secret_key !== '' && { secret_key }) };
  return { kind: 'set-till', input };
}
