import type { IdKind } from './ids/id-prefixes.ts'
import { limits } from './limits.ts'
import { storableTextUpTo, textUpTo } from './values/storable-text.ts'

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

/** An id in an input, which says what it is of to those who send no text. */
export function idSchemaOf(what: string) {
  return storableTextUpTo(limits.idLength, undefined, `must be the id of ${what}`).min(1)
}

/** A field id that a client chose. */
export const clientFieldIdSchema = textUpTo(limits.idLength).regex(
  /^fld[0-9a-zA-Z]{16}$/,
  'must be "fld" followed by 16 letters or digits',
)
