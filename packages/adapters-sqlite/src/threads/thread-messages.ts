import type { Run, SqlFailureKind } from '@gateleg/sql/core/connection'

/** How a statement is run and its rows are fetched; see `SqlConnection`. */
export type ThreadMethod = 'all' | 'rows' | 'rowsWithin' | 'run' | 'define'

/**
 * What a session is: one snapshot, one transaction that writes, or one that reads before it begins: its reads are noted
 * then, and `hold` begins it.
 */
export type SessionKind = 'snapshot' | 'writing' | 'readingFirst'

/**
 * A message to a thread that runs statements. A session begins with its first statement, runs one statement at a time,
 * and is rolled back when it ends without a commit.
 */
export type ThreadRequest =
  | {
      readonly kind: 'statement'
      readonly session: number
      readonly of: SessionKind
      readonly method: ThreadMethod
      readonly sql: string
      readonly parameters: readonly unknown[]
      /** For `rowsWithin`. */
      readonly size: number
      readonly most?: number | undefined
    }
  | { readonly kind: 'more'; readonly session: number }
  /** Waits for the next `addInOrder` of a session that reads first, which holds nobody up yet. */
  | { readonly kind: 'sendAhead'; readonly session: number; readonly run: Run }
  /**
   * Adds rows: what was sent ahead, then the run where there is one. Answers the number of the last one. Begins the
   * transaction before where the session holds nobody up yet, as `hold` does.
   */
  | {
      readonly kind: 'addInOrder'
      readonly session: number
      readonly of: SessionKind
      readonly run?: Run
    }
  /** Begins the transaction of a session that reads first; fails where something that it read is not as it was. */
  | { readonly kind: 'hold'; readonly session: number }
  /** Ends the session, too, unless it fails. */
  | { readonly kind: 'commit'; readonly session: number }
  | { readonly kind: 'end'; readonly session: number }
  | { readonly kind: 'check' }
  | { readonly kind: 'moveLog'; readonly patienceMs: number | undefined }

/**
 * A message from that thread: rows piece by piece, so that receiving a piece holds nobody up; each piece after the
 * first is requested with `more`. For a statement without rows, how many rows it changed; for rows that were added, the number
 * of the last one.
 */
export type ThreadAnswer =
  | {
      readonly kind: 'rows'
      readonly session: number
      readonly rows: readonly unknown[]
      /** Whether the first of them is more of the last row before, which was too long for one piece. */
      readonly continuesRow: boolean
      readonly isLast: boolean
      readonly size: number
      readonly isCut: boolean
    }
  | {
      readonly kind: 'failure'
      readonly session: number
      readonly failure: SqlFailureKind | 'readsOutdated'
      readonly message: string
    }
  | { readonly kind: 'done'; readonly session: number; readonly count: number }
  | { readonly kind: 'findings'; readonly findings: readonly string[] }
  | { readonly kind: 'logMoved'; readonly isDone: boolean }

/** Characters, roughly, of the rows in one message: receiving them takes a few milliseconds at most. */
export const answerSize = 256 * 1024
