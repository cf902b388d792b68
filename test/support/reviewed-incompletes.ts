/** A person has reviewed these, which axe could not decide. Any other finding fails the test. */
type ReviewedIncomplete = {
  readonly rule: string;
  /** The element, or one around it. */
  readonly selector: string;
};

export const reviewedIncompletes: readonly ReviewedIncomplete[] = [
  // The teaser has no speech, only music, and its text is not needed to join.
  { rule: 'video-caption', selector: '.teaser video' },
  // The background is a gradient of two dark colours; the text has 4.5:1 on the lighter one.
  { rule: 'color-contrast', selector: '.ghost-card' },
  // On the lightest green of its gradient the text has 11:1.
  { rule: 'color-contrast', selector: '.rewards .unlocked' },
  // The same greens; on the lightest one the fainter text has 6.4:1.
  { rule: 'color-contrast', selector: '.pass' },
  // On the lightest green of its gradient the fainter text has 5.3:1.
  { rule: 'color-contrast', selector: '.offer-card' },
  // On the lightest green of a gradient the text has 6.8:1, on the lightest grey 5.9:1.
  // The fainter text of the green card stands below the light, on 6:1.
  { rule: 'color-contrast', selector: '.drop-state' },
  // Dark text on the bright colour, which a pseudo element paints.
  { rule: 'color-contrast', selector: '.join-cue' },
  // On a desktop the headline crosses the mask's bright dots. Its letters are large enough to read.
  { rule: 'color-contrast', selector: '.landing-headline' },
  // On phones its end stands on the faded chin of a face. Its letters are large enough to read.
  { rule: 'color-contrast', selector: '.invite-title' },
  // The face is cut off above it, and its box is not.
  { rule: 'color-contrast', selector: '.invite-title + p' },
  // On phones it stands on the chin, whose brightest dots are faded to a third: it has 6:1 there.
  { rule: 'color-contrast', selector: '.landing-tagline' },
  // Bright on the dark picture that it previews. Screen readers read the name of its link.
  { rule: 'color-contrast', selector: '.image-preview' },
  // Next to the big number, whose box is larger than its dots.
  { rule: 'color-contrast', selector: '.position-card h1' },
  { rule: 'color-contrast', selector: '.position-total' },
  // While the field has the focus, the page is scrolled, and the header may stand over the line.
  { rule: 'color-contrast', selector: '.banner-slot' },
  // On phones a bar at the bottom stands over them, until the page is scrolled.
  { rule: 'color-contrast', selector: '.share-card' },
  { rule: 'color-contrast', selector: '.form-note' },
  { rule: 'color-contrast', selector: '.mail-note' },
];
