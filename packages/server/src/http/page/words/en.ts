/** A text that depends on a number. There is a text for each plural category of the language (CLDR). */
export interface Counted {
  zero?: string;
  one?: string;
  two?: string;
  few?: string;
  many?: string;
  other: string;
}

/**
 * The texts of the pages. `{n}` is a number, `{q}` what somebody searched for, `{name}` the operator, `{what}` one of the
 * other texts. “GIFs from” with the operator's name stays English, because the specification requires this text.
 */
export const en = {
  search: 'Search',
  searchGifs: 'Search GIFs',
  completions: 'Completions',
  skip: 'Skip to main content',
  topics: 'Topics',
  similarSearches: 'Similar searches',
  developers: 'Developers',
  signIn: 'Sign in',
  privacy: 'Privacy',
  status: 'Status',
  language: 'Language',
  theme: 'Theme',
  themeAuto: 'system',
  themeLight: 'light',
  themeDark: 'dark',
  popular: 'Popular here',
  drawing: 'The first GIFs are being drawn. This page shows them as soon as they are there.',
  growing: {
    one: '{n} GIF so far, and more are being added.',
    other: '{n} GIFs so far, and more are being added.',
  } as Counted,
  emptyCatalogue: 'The catalogue is empty. Run zoetrope add to add GIFs.',
  nothing: 'Nothing found for “{q}”.',
  nothingHint: 'Try another word or one of the topics.',
  found: { one: '{n} GIF for “{q}”', other: '{n} GIFs for “{q}”' } as Counted,
  best: { one: '{n} best GIF for “{q}”', other: '{n} best GIFs for “{q}”' } as Counted,
  unknown: 'No GIF has “{q}”.',
  more: 'More',
  untitled: 'Untitled GIF',
  tooManySearches: {
    one: 'Too many searches from your network. Try again in {n} second.',
    other: 'Too many searches from your network. Try again in {n} seconds.',
  } as Counted,
  unavailable: 'The search is unavailable right now. This page tries again by itself.',
  offline: 'You are offline. This page searches again when you are back.',
  earlier: 'These GIFs are from an earlier search.',
  copy: 'Copy',
  copyWhat: 'Copy: {what}',
  copied: 'Copied',
  notCopied: 'Select the text and copy it',
  copyLink: 'Copy link',
  copyForNote: 'Copy for a note',
  copyAs: 'Other ways to copy',
  gifAddress: 'Address of the GIF',
  copyAddress: 'Copy address',
  note: 'Content and tag of a note (imeta)',
  share: 'Share',
  download: 'Download',
  saveOnServer: 'Save on my Blossom server',
  serverAddress: 'Address of the server',
  save: 'Save',
  saveHint: 'The server downloads the GIF itself. Your Nostr extension signs the request.',
  savedOn: 'Saved on {host}',
  notSaved: 'Not saved: {reason}',
  moreLikeThis: 'More like this',
  pause: 'Pause',
  play: 'Play',
  close: 'Close',
  previous: 'Previous GIF',
  next: 'Next GIF',
  pixels: '{width} × {height} pixels',
  fileOn: 'The file is on {host}',
  gone: 'Nothing here',
  goneWhy: 'There is no page at this address, or its GIF has been removed.',
  later: 'Try again later',
  broken: 'Something went wrong',
  backToSearch: 'Back to search',
  report: 'Report',
  reportGif: 'Report a GIF',
  reportIntro:
    'Tell the operator, {name}, what is wrong. Only the operator reads your report, which is stored with the GIF. Your IP address is not stored.',
  reportUrl: 'URL or id of the GIF',
  reportWhat: 'What is wrong?',
  reportIllegal: 'It is illegal, or shows somebody without their consent',
  reportAdult: 'It is adult content but not marked as adult',
  reportCopyright: 'It infringes my copyright, or that of somebody I represent',
  reportOther: 'Something else',
  reportDetails: 'Details for the operator',
  reportHint: 'For copyright: name the work and say why you can act for its owner.',
  reportContact: 'Contact, if you want a reply',
  thanks: 'Thank you',
  received: 'Your report was received. The operator will review it.',
  missingGif: 'Enter the URL or id of the GIF.',
  missingReason: 'Choose what is wrong with it.',
  longDetails: 'The details must have at most {n} characters.',
  longContact: 'The contact must have at most {n} characters.',
  badDetails: 'The details must not contain control characters or marks that reorder text.',
  badContact: 'The contact must be on one line, without control characters or marks that reorder text.',
  unclear: 'Say in a few words what is wrong.',
  tooManyReports: {
    one: 'Too many reports from your network. Try again in {n} minute.',
    other: 'Too many reports from your network. Try again in {n} minutes.',
  } as Counted,
  unknownGif: 'This service has no such GIF. Its URL ends in a long name and .gif or .webp.',
  unsaved: 'The report cannot be saved right now. Please contact the operator directly.',
  full: 'Too many reports are waiting for review. Please contact the operator directly.',
};

export type Words = typeof en;
