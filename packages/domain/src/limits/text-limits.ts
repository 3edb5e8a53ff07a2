/** Maxima of the short texts of all resources: names, descriptions, ids, dates, addresses: a part of `limits`. */
export const textLimits = {
  /** Characters of a name of a space, base, table, field, view, choice, ...: what fits a heading. */
  nameLength: 100,
  /** Characters of a name as sent, with the white space around it that is taken off. */
  untrimmedNameLength: 1_000,
  /** Characters of a description: a long paragraph. */
  descriptionLength: 2_000,
  /** Characters of an icon: an emoji with all its joiners, or a short icon name. */
  iconLength: 64,
  /** Characters of any other short text of a request (tokens, ids, referers). */
  shortTextLength: 2_048,
  /** Characters of an id in a path or body; our own are 19 long. */
  idLength: 64,
  /** Characters of a physical column name; the limit of PostgreSQL. */
  dbFieldNameLength: 63,
  /** Characters of a date, or a date and a time (ISO 8601). */
  momentLength: 64,
  /** Characters of an e-mail address (RFC 5321). */
  emailLength: 254,
  passwordLengthMin: 8,
  /** Longer passwords would make argon2 a way to burn our processor time. */
  passwordLengthMax: 128,
} as const
