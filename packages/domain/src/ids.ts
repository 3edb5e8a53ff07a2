import { limits } from './limits.ts'
import { storableTextUpTo, textUpTo } from './values/storable-text.ts'

/** The prefix tells what an id belongs to; 16 letters and digits follow it. */
export const idPrefixes = {
  user: 'usr',
  session: 'ses',
  accessToken: 'acc',
  inviteCode: 'inv',
  invitation: 'ivt',
  invitationLink: 'ivl',
  signUpCode: 'suc',
  space: 'spc',
  base: 'bse',
  node: 'bno',
  folder: 'bnf',
  table: 'tbl',
  field: 'fld',
  view: 'viw',
  rowOrder: 'ord',
  share: 'shr',
  record: 'rec',
  comment: 'com',
  attachment: 'act',
  dashboard: 'dsh',
  workflow: 'wfl',
  trigger: 'wtr',
  action: 'wac',
  logic: 'wlo',
  control: 'wco',
  loginProvider: 'aut',
  identity: 'idn',
  plugin: 'plg',
  pluginPanel: 'plp',
  pluginInstall: 'pli',
  pluginGrant: 'pgr',
  oauthClient: 'oac',
  oauthSecret: 'oas',
  oauthGrant: 'oag',
  operation: 'opr',
  import: 'imp',
  request: 'req',
  incident: 'inc',
} as const

/** What an id is of. */
export type IdKind = keyof typeof idPrefixes

/** Makes ids: from a cryptographic source in production, from a seed in a replay. Ids are never reused. */
export interface Ids {
  /** A new id of the kind: its prefix and 16 letters and digits. */
  next(kind: IdKind): string
  /**
   * New ids for things that are created together. They may begin with the same letters and come in their order, so that they
   * are neighbours in an index: a thousand of them then change a dozen pages of the index, one after another, not hundreds.
   */
  many(kind: IdKind, count: number): readonly string[]
  /** A new id of a select choice: `cho` and 8 letters and digits. */
  choice(): string
  /** A new short tag, different at each call, by which two states of one thing are told apart. */
  revision(): string
}

/**
 * An id in an input. Any short text that can be looked up: one that names nothing is answered
 * `not_found`, not refused.
 */
export const idSchema = storableTextUpTo(limits.idLength).min(1)

/** The same, which says what the id is of to those who send no text. */
export function idSchemaOf(what: string) {
  return storableTextUpTo(limits.idLength, undefined, `must be the id of ${what}`).min(1)
}

/** A field id that a client chose. */
export const clientFieldIdSchema = textUpTo(limits.idLength).regex(
  /^fld[0-9a-zA-Z]{16}$/,
  'must be "fld" followed by 16 letters or digits',
)
