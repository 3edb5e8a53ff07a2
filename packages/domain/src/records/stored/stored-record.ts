import type { Timestamp } from '../../clock.ts'
import type { Cell } from '../../fields/cell.ts'

/** A record as storages hold it. */
export interface StoredRecord {
  readonly id: string
  /** Counts up over the table, never given twice; the order in which records were created. */
  readonly autoNumber: number
  readonly createdTime: Timestamp
  readonly lastModifiedTime: Timestamp
  readonly createdBy: string
  /** Null until the record is changed for the first time after its creation. */
  readonly lastModifiedBy: string | null
  /** Counts the changes of the record. */
  readonly version: number
  /** One value per column of the schema, in the order of `Column.index`. */
  readonly cells: readonly (Cell | null)[]
  /** Bytes that all of it takes as it is stored; known where it was read to be changed. */
  readonly bytes?: number
}

/** A record that is about to be made: it has no number yet, and nobody has changed it. */
export type NewRecord = Pick<StoredRecord, 'id' | 'cells'>

/** A record of which nothing else is known: all but its id, its number and its cells are empty. */
export function bareRecord(
  id: string,
  autoNumber: number,
  cells: StoredRecord['cells'],
): Omit<StoredRecord, 'bytes'> {
  return {
    id,
    autoNumber,
    createdTime: '',
    lastModifiedTime: '',
    createdBy: '',
    lastModifiedBy: null,
    version: 0,
    cells,
  }
}
