/** Maxima of what is said about records: a part of `limits`. */
export const commentLimits = {
  /** Comments of one record: more than anybody reads. */
  commentsPerRecord: 2_000,
  /** Characters of one comment, those of its links included: some pages. */
  commentLength: 10_000,
  /** Paragraphs of a comment. */
  commentBlocks: 200,
  /** Texts, links and mentions of a comment. */
  commentParts: 400,
  /** Reactions to one comment, of all people together: they are read with it. */
  reactionsPerComment: 100,
  /** Characters of a reaction: the longest emoji have some twenty. */
  reactionLength: 40,
  /** Comments that one page may have, and how many it has when nobody says. */
  commentsPerPage: 1_000,
  commentsPerPageDefault: 20,
  /** Characters, roughly, with which a page ends though it has fewer comments. */
  commentPageLength: 262_144,
  /** Comments that one statement reads of a page: a megabyte or two at most. */
  commentsReadAtOnce: 50,
  /** Comments that one transaction of the background removes. */
  commentsPurgedAtOnce: 1_000,
} as const
