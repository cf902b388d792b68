import { type Static, Type } from 'typebox';
import { Count, NullableTime, Text, TextOrNull, Whole } from '../../fields.ts';

/** Offers by their state. */
export const offerCounts = {
  open: Count('Offers that members can accept'),
  accepted: Count('Passes that are not known to be paid'),
  paid: Count('Paid masks that have not been handed over or sent'),
  handed_over: Count('Masks that were handed over at a door'),
  sent: Count('Masks that were sent'),
  declined: Count('Offers that members declined'),
  expired: Count('Offers whose time was over'),
  cancelled: Count('Passes that operators cancelled'),
};

export const OfferFigures = Type.Object({
  drop: Type.Integer(),
  state: Type.String({ description: 'Of the drop' }),
  ...offerCounts,
  codes_imported: Count('Codes of the shop; 0: codes are made here'),
  codes_free: Count('Imported codes that nobody has'),
});
export type OfferFigures = Static<typeof OfferFigures>;

export const RedeemRequest = Type.Object({
  code: Text(100),
  order: Text(200, 'Of the shop: the same order may ask again, another one is refused'),
});

export const RedeemedPass = Type.Object({
  size: Type.String(),
  member_id: Type.String(),
  order: Type.String(),
  redeemed_at: Type.String(),
});
export type RedeemedPass = Static<typeof RedeemedPass>;

export const ScanRequest = Type.Object({
  code: Text(100),
  scan: Text(60, 'Random: the same scan may ask again, another one finds a used pass'),
  drop: Type.Optional(Whole(1, 999_999, 'Whose masks the door has. Default: of all')),
});
export type ScanRequest = Static<typeof ScanRequest>;

export const UndoScanRequest = Type.Object({ code: Text(100), scan: ScanRequest.properties.scan });
export type UndoScanRequest = Static<typeof UndoScanRequest>;

const SCAN_RESULTS = ['given', 'undone', 'used', 'unpaid', 'other_drop', 'cancelled'] as const;

export const ScannedPass = Type.Object({
  result: Type.Enum(SCAN_RESULTS, {
    description:
      'given: the mask is handed over by this scan. undone: this scan hands over nothing. used: ' +
      'the mask was handed over or sent before. unpaid: the till knows of no payment',
  }),
  drop: Type.Integer(),
  size: Type.String(),
  position: Type.Integer({ description: 'Of the frozen list, as the pass shows it' }),
  email: TextOrNull('null: the member has left the line'),
  used_at: NullableTime,
  used_by: TextOrNull('Who scanned it, or the carrier'),
});
export type ScannedPass = Static<typeof ScannedPass>;

export const DoorPasses = Type.Object({
  passes: Type.Array(
    Type.Object({
      drop: Type.Integer(),
      all: Count('Passes of this drop'),
      used: Count('Passes whose masks were handed over or sent'),
    }),
  ),
});
export type DoorPasses = Static<typeof DoorPasses>;
