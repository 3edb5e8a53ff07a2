import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'

/** What a change of a table, its fields or its records needs to know of the call. */
export type TableContext = Pick<CallContext, 'now' | 'ids'> & {
  readonly tx: WriteTx
  readonly userId: string
}
