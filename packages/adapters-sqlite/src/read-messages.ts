import type { SqlFailureKind } from '@gateleg/sql/core/connection'

/** How a statement's rows are asked for; see `SqlConnection`. */
export type ReadMethod = 'all' | 'rows' | 'rowsWithin'

/**
 * What a thread that reads is told. A session is one snapshot, which begins with its first statement, and
 * has one statement at a time.
 */
export type ReadRequest =
  | {
      readonly kind: 'read'
      readonly session: number
      readonly method: ReadMethod
      readonly sql: string
      readonly parameters: readonly unknown[]
      /** For `rowsWithin`. */
      readonly size: number
    }
  | { readonly kind: 'more'; readonly session: number }
  | { readonly kind: 'end'; readonly session: number }
  | { readonly kind: 'check' }

/**
 * What it answers: rows piece by piece, so that to take one in holds nobody up; each but the first is
 * asked for with `more`.
 */
export type ReadAnswer =
  | {
      readonly kind: 'rows'
      readonly session: number
      readonly rows: readonly unknown[]
      readonly isLast: boolean
      readonly size: number
      readonly isCut: boolean
    }
  | {
      readonly kind: 'failure'
      readonly session: number
      readonly failure: SqlFailureKind
      readonly message: string
    }
  | { readonly kind: 'findings'; readonly findings: readonly string[] }

/** Characters, roughly, of the rows of one answer: to take in some milliseconds at most. */
export const answerSize = 512 * 1024
