import type { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import type { WritePlan } from '../../calculations/plan-write.ts'
import type { PlacesByField } from '../../links/change-links.ts'
import type { LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { TableReadContext } from '../../tables/table-context.ts'
import type { IssueLocator } from '../input/row-issues.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** How the rows of a request are read, and where they stand in it. */
export interface RowOptions extends IssueLocator {
  /** Whether values are read leniently. */
  readonly typecast: boolean
  /** Whether buttons may be given other counts: for a press, a reset, and undoing these. */
  readonly setsPresses?: boolean
  /** Takes the records that are about to be stored, before others have to wait for that. */
  readonly onComputed?: (schema: TableSchema, records: readonly StoredRecord[]) => Promise<void>
  /** Whether the call neither reads nor changes anything, and can't fail, once these records are stored and nothing follows from them. */
  readonly isLast?: () => boolean
  /** Where links that come back had been at their other ends; they come last there when it is left out. */
  readonly places?: PlacesByField
}

/**
 * One write of records: what all of its stages share. `writeRecords` runs the stages; the interfaces below
 * are what each of them hands to the next. No stage changes what it was given.
 */
export interface RecordWrite {
  readonly context: RecordsContext
  /** The tables that the write has to do with; their fields stay as they are until it ends. */
  readonly graph: SchemaGraph
  readonly options: RowOptions
  readonly strategy: WriteStrategy
  /** The steps of computing that the write may still take. */
  readonly budget: StepBudget
}

/** What reading rows needs of a write; a preview has no more. */
export interface RowReading extends Pick<RecordWrite, 'graph' | 'options'> {
  readonly context: TableReadContext & Pick<RecordsContext, 'base' | 'table' | 'storedFiles'>
  readonly strategy: Pick<WriteStrategy, 'existing'>
}

/** After `readRows`: a patch for each item of the request, in its order. */
export interface ReadRows {
  readonly loaded: LoadedTable
  readonly rows: readonly CellPatch[]
}

/** After `resolveRows`: every choice, file and record that the rows name is there. */
export interface ResolvedRows extends ReadRows {
  /** The table with the choices that were added for the rows. */
  readonly loaded: LoadedTable
  /** The records that the rows change, in the order of the rows; empty where the rows make new ones. */
  readonly existing: readonly StoredRecord[]
}

/** After `checkRows`: what is going to be written, but for what follows from it. */
export interface CheckedRows extends ResolvedRows {
  /** All cells of each record as they will be, in the order of the rows. */
  readonly cells: readonly StoredRecord['cells'][]
}

/** The records that a write stores: all of the rows, but for those that change nothing. */
export interface PreparedRecords {
  readonly records: readonly StoredRecord[]
  /** The row of each of the records. */
  readonly rowIndexes: readonly number[]
  /** The records before the write, in the same order; empty where they are new. */
  readonly before: readonly StoredRecord[]
  readonly plan: WritePlan
}

/** After `computeRecords`, and after `storeRecords` with the numbers of new records. */
export interface ComputedRecords extends PreparedRecords {
  readonly loaded: LoadedTable
  readonly existing: readonly StoredRecord[]
  /** How many of the records, from the first on, have their computed cells; the background does the rest. */
  readonly doneCount: number
}

/** After `followWrite`: one record for each row, as it is now. */
export interface WrittenRecords {
  readonly schema: LoadedTable['schema']
  readonly records: readonly StoredRecord[]
}

/** What differs between ways of writing records: `creation` and `Change`. */
export interface WriteStrategy {
  /** The locked records that the rows change, in the order of the rows; empty where the rows make new ones. */
  readonly existing: readonly StoredRecord[]
  /** What listeners are told once records are stored. */
  readonly event: 'record.created' | 'record.updated'
  /** For `checkRows`: the rows with all that they write and nothing else, and the cells that this gives. */
  complete(write: RecordWrite, resolved: ResolvedRows): Promise<Pick<CheckedRows, 'rows' | 'cells'>>
  /** For `computeRecords`: the records to store, and what follows from them. */
  prepare(write: RecordWrite, checked: CheckedRows): Promise<PreparedRecords>
  /** For `storeRecords`: stores the records, as the last of the transaction or not. Returns them with their numbers. */
  store(
    write: RecordWrite,
    computed: ComputedRecords,
    isLast: boolean,
  ): Promise<readonly StoredRecord[]>
}
