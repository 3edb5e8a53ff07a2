import type { StoredRecord } from './stored-record.ts'

/** Records that were read as far as their size allowed: `limits.recordsLength`. */
export interface RecordBatch {
  /** One at least, where there is one. */
  readonly records: readonly StoredRecord[]
  /** What they take, roughly, as `limits.recordsLength` counts. */
  readonly size: number
  /** Whether it ends before it has as many as were asked for, though there are more. */
  readonly isCut: boolean
}
