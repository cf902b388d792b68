/** Paints the turning mask of the page with a member's paint, once that mask turns. */
type PaintMember = (code: string) => Promise<void>;

export const ownPaint: { paint: PaintMember | null } = { paint: null };
