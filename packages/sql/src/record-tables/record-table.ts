import type { RecordParts } from '@gateleg/domain/records/reading/record-scanner'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import { valueSize } from '../core/connection.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import { sumOf } from '../core/statements/sum-of.ts'
import { mayBeLong } from './field-columns.ts'
import { systemColumns } from './system-columns.ts'

const { id, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version } =
  systemColumns
const { deletionId, deletedTime, deletedBy } = systemColumns

/** The columns that are read of every record, before those of the fields. */
export const readColumns: readonly TypedColumn[] = [
  id,
  autoNumber,
  createdTime,
  lastModifiedTime,
  createdBy,
  lastModifiedBy,
  version,
]

/** The columns that are read of every record, by what is asked of it. */
export const columnsOfParts: Readonly<Record<RecordParts, readonly TypedColumn[]>> = {
  all: readColumns,
  keys: [id, autoNumber],
  numbers: [autoNumber],
}

/** How many columns of a read row come before those of the fields. */
export const systemColumnsRead = readColumns.length

/** The columns that are written of a new record, before those of the fields: the storage numbers it. */
const newColumns: readonly TypedColumn[] = readColumns.filter((column) => column !== autoNumber)

/** Stands for who changed a record that nobody changed since its creation: the column takes no null. */
export const nobody = ''

/** Counts a version; in an update of the table as `t`. */
export const nextVersion = sql`${sql.id(version.name)} = t.${sql.id(version.name)} + 1`

/** The table of the records of one schema, as statements name it and its columns. */
export class RecordTable {
  readonly dialect: SqlDialect
  readonly name: RawBuilder<unknown>
  readonly fieldColumns: readonly TypedColumn[]
  /** Columns that no cell is in and that may hold long values, which every change of a record writes anew. */
  readonly hiddenColumns: readonly string[]
  /** What differs between the records that are made together. */
  readonly ownColumns: readonly TypedColumn[]
  /** What is written of a new record. */
  readonly insertColumns: readonly TypedColumn[]
  /** What is written of a record that has a number already. */
  readonly numberedColumns: readonly TypedColumn[]
  /** What is written of a record that lies in the trash, or doesn't. */
  readonly markedColumns: readonly TypedColumn[]
  /** What its statements have become. They depend on the schema alone, and on how many rows they take. */
  readonly texts: StatementTexts
  /** Tells it from all others as long as the process runs. */
  readonly key: string

  constructor(schema: TableSchema, dialect: SqlDialect) {
    this.dialect = dialect
    this.name = dialect.tables.named(schema.baseId, schema.physicalName)
    this.fieldColumns = schema.columns.map(({ column }) => column)
    this.hiddenColumns = schema.hiddenColumns
    this.ownColumns = [id, ...this.fieldColumns]
    this.insertColumns = [...newColumns, ...this.fieldColumns]
    this.numberedColumns = [...this.insertColumns, autoNumber]
    this.markedColumns = [...this.numberedColumns, deletionId, deletedTime, deletedBy]
    this.key = `records ${tables++}`
    this.texts = new StatementTexts(dialect, this.key)
  }

  /** What is read of records with the cells of these columns. */
  selected(
    columns: readonly TypedColumn[],
    before: readonly TypedColumn[] = readColumns,
  ): RawBuilder<unknown> {
    const read = columns.map((column) => this.dialect.values.read(column))
    return sql.join([nameList(before), ...read])
  }

  /** What a record takes as it is stored: what is left of deleted fields, too. */
  get bytesOfRow(): RawBuilder<unknown> {
    const { storedBytes } = this.dialect.values
    const long = [
      ...this.fieldColumns.filter(mayBeLong).map(({ name }) => name),
      ...this.hiddenColumns,
    ]
    const short = sql.lit(
      (this.fieldColumns.length + this.hiddenColumns.length - long.length) * valueSize,
    )
    return sumOf([short, ...long.map((name) => sql`coalesce(${storedBytes(name)}, 0)`)])
  }

  /** The greatest number that a record has; null when there is none. */
  get lastNumber(): string {
    const number = sql.id(autoNumber.name)
    return this.texts.of('last number', () => sql`select max(${number}) from ${this.name}`)
  }

  /**
   * The text of what adds up the bytes of the records of a condition, which the key tells from others: those of
   * deleted fields, too, and of columns that no field has any more, where they are named.
   */
  bytes(
    key: string,
    condition: () => RawBuilder<unknown>,
    retired: readonly TypedColumn[] = [],
  ): string {
    return this.texts.of(`bytes ${key} ${keyOf(retired)}`, () => {
      const long = [...this.fieldColumns, ...retired].filter(mayBeLong)
      const names = new Set([...long.map(({ name }) => name), ...this.hiddenColumns])
      const size = sumOf([...names].map((name) => sql`coalesce(octet_length(${sql.id(name)}), 0)`))
      return sql`select total(${size}) from ${this.name} where ${condition()}`
    })
  }
}

/** Tells the tables of all schemas from one another. */
let tables = 0

const tablesBySchema = new WeakMap<TableSchema, Map<SqlDialect, RecordTable>>()

/** The table of the records of the schema; one object for each schema and dialect. */
export function recordTableOf(schema: TableSchema, dialect: SqlDialect): RecordTable {
  const byDialect = tablesBySchema.get(schema) ?? new Map<SqlDialect, RecordTable>()
  tablesBySchema.set(schema, byDialect)
  const table = byDialect.get(dialect) ?? new RecordTable(schema, dialect)
  byDialect.set(dialect, table)
  return table
}

/** What tells a list of columns from others in the key of a statement; none is not the same as no list. */
export function keyOf(columns: readonly TypedColumn[] | undefined): string {
  if (columns === undefined) return 'all'
  return columns.map(({ name, type }) => `${type} ${name.length} ${name}`).join()
}
