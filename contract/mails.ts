/** Mails are built into one module, which the server loads: neither side imports the other. */

/** What is known about paying. Each is a sentence of the brand, which `{terms}` stands for. */
export type PaymentTerms = {
  readonly price: string | null;
  /** Before an offer is accepted, how long the pass can be paid; afterwards, until when. */
  readonly payHours: number | null;
  readonly payBy: string | null;
  readonly needsCode: boolean;
};

/** A mail in the brand's words for its kind, with values for what these name. */
export type NewsContent = {
  readonly kind: string;
  /** Which of the words, where the kind has several. */
  readonly form?: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly terms?: PaymentTerms;
  /** Where the button leads, unless to the status page. */
  readonly action?: string;
  readonly facts?: {
    readonly friends?: number;
    readonly position?: number;
    readonly nextReward?: string | undefined;
  };
  /** The reward that the picture shows, instead of the member's face. */
  readonly shown?: { readonly picture: string; readonly alt: string };
};

export type CampaignContent = {
  readonly kind: 'campaign';
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
};

export type MailContent = NewsContent | CampaignContent;

export type MailBlock =
  | { readonly kind: 'heading' | 'paragraph'; readonly words: readonly MailWords[] }
  | {
      readonly kind: 'list';
      readonly firstNumber: number | null;
      readonly items: readonly (readonly MailBlock[])[];
    }
  | { readonly kind: 'quote'; readonly blocks: readonly MailBlock[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' };

export type MailWords =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly words: readonly MailWords[] }
  | { readonly kind: 'link'; readonly href: string; readonly words: readonly MailWords[] }
  | { readonly kind: 'break' };

export type MailFrame = {
  readonly publicUrl: string;
  readonly statusLink: string;
  readonly inviteLink: string;
  readonly referralCode: string;
  readonly image: string;
  readonly confirmLink: string | null;
  readonly preferencesLink: string;
  /** Mail to this address was stopped: the link turns it on again. */
  readonly isStopped: boolean;
  readonly isOrderFixed: boolean;
  /** What a drop has published by its hash; null before, and in mails that are not about one. */
  readonly draw: { readonly hash: string; readonly link: string } | null;
  readonly answerLink: string | null;
};

export type RenderedMail = {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
};

export type RenderMail = (content: MailContent, frame: MailFrame) => RenderedMail;
