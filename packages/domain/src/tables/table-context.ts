import type { ReadTx, WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'

/** What looking at a table, its fields or its records needs to know of the call. */
export type TableReadContext = Pick<
  CallContext,
  'actor' | 'now' | 'ids' | 'answerLength' | 'publicUrl' | 'fileUrls'
> & {
  readonly tx: ReadTx
  readonly userId: string
}

/** What a change of a table, its fields or its records needs to know of the call. */
export type TableContext = TableReadContext &
  Pick<CallContext, 'keepsHistory' | 'undo'> &
  Partial<Pick<CallContext, 'plans'>> & { readonly tx: WriteTx }
