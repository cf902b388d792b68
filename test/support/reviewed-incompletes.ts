/** What axe cannot decide by itself, looked at by a person. A finding anywhere else fails the test. */
type ReviewedIncomplete = {
  readonly rule: string;
  /** The element, or one around it. */
  readonly selector: string;
};

export const reviewedIncompletes: readonly ReviewedIncomplete[] = [
  // The teaser has no speech, and what is written in it is not needed to join: its sound is music.
  { rule: 'video-caption', selector: '.teaser video' },
  // Its ground is a gradient between two dark colours; the text on it keeps 4.5:1 on the lighter of them.
  { rule: 'color-contrast', selector: '.ghost-card' },
  // Dark text on the one bright colour, which a pseudo element paints so that the bar can fade out around it.
  { rule: 'color-contrast', selector: '.join-cue' },
  // On a desk the headline runs across the mask, whose dots are as bright as it is: display letters, read by what stands clear of them.
  { rule: 'color-contrast', selector: '.landing-headline' },
  // Its box meets the mask's, its words stand on the page's ground.
  { rule: 'color-contrast', selector: '.landing-tagline' },
  // Next to the big number, whose box is larger than its dots.
  { rule: 'color-contrast', selector: '.status-place h1' },
];
