import { type Static, Type } from 'typebox';
import {
  After,
  Change,
  Expected,
  IntegerOrNull,
  NextNumber,
  NullableText,
  Text,
  TextOrNull,
  Whole,
} from '../../fields.ts';
import { DropFileRequest } from './drop-files.ts';

export const ORDER_KINDS = {
  to_redeem: 'Orders with an accepted pass: applying marks it as paid by the order',
  not_paid: 'Orders with a pass that are not paid yet: applying leaves the pass as it is',
  matched: 'Orders with the pass that they paid',
  code_used_twice: 'Orders with a pass that another order has paid, or a door has handed over',
  order_used_twice: 'Orders that have paid another pass: one order pays one pass',
  order_cancelled: 'Cancelled or refunded orders with a pass that is not cancelled',
  pass_cancelled: 'Orders with a cancelled pass',
  cancelled: 'Cancelled or refunded orders whose pass is cancelled, too',
  unknown_code: 'Orders with a code that is no pass',
  without_pass: 'Orders of a mask without a code',
  other_goods: 'Orders without a mask and without a code',
  cancelled_other: 'Cancelled or refunded orders without a pass',
  repeated: 'Orders that stand in the file a second time',
  no_order: 'Passes that were paid by an order which is not in the file',
  unused: 'Accepted passes that no order has',
  unreadable: 'Rows that cannot be read',
} as const;
export type OrderKind = keyof typeof ORDER_KINDS;

export const OrderFinding = Type.Object({
  kind: Type.Enum(Object.keys(ORDER_KINDS) as OrderKind[], {
    description: Object.entries(ORDER_KINDS)
      .map(([kind, about]) => `${kind}: ${about}.`)
      .join(' '),
  }),
  line: IntegerOrNull('Of the file, from 1; null: a pass without an order'),
  order: TextOrNull('Its name in the shop'),
  code: NullableText,
  email: TextOrNull('Of the order; without an order, of the member'),
  why: Type.String({ description: 'What is odd about it, for a person; often empty' }),
  needs_look: Type.Boolean({ description: 'Whether a person should look at it' }),
});
export type OrderFinding = Static<typeof OrderFinding>;

const ReportFields = {
  ...DropFileRequest.properties,
  item: Type.Optional(
    Text(100, 'Text in the name or SKU of masks; without it, items that name a size are masks'),
  ),
};
export const OrderExportRequest = Type.Object(ReportFields);
export const OrderReportRequest = Type.Object({
  ...ReportFields,
  after: After({ pattern: '^\\d{1,9}$' }),
});

export const OrderReport = Type.Object({
  drop: Type.Integer(),
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'Findings of each kind' }),
  to_redeem: Type.Integer({ description: 'Passes that applying marks as paid' }),
  to_free: Type.Integer({ description: 'Passes of cancelled orders that can be freed' }),
  findings: Type.Array(OrderFinding, { description: 'Those that need a look; all are in the CSV' }),
  next: NextNumber,
});
export type OrderReport = Static<typeof OrderReport>;

export const orderInputs = {
  reconcile: Change('Mark passes as paid by the orders in a file of the shop', {
    import_id: Type.String({ maxLength: 100, description: 'Of the uploaded file' }),
    drop: Type.Optional(Whole(1, 999_999, 'The last by default')),
    free_cancelled: Type.Optional(
      Type.Boolean({
        description: 'Cancels the passes of cancelled and refunded orders: their masks go on',
      }),
    ),
    expected: Expected('passes'),
  }),
} as const;
