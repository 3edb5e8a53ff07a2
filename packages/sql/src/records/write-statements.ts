import { assert } from '@gateleg/domain/errors'
import type { PhysicalColumn } from '@gateleg/domain/schemas/field-repository'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import { Place } from '../core/dialect/place.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { RowsOfValues } from '../core/statements/rows-of-values.ts'
import { isLiving } from '../record-tables/is-living.ts'
import {
  keyOf,
  nextVersion,
  nobody,
  type RecordTable,
  recordTableOf,
} from '../record-tables/record-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

const { id, autoNumber, createdBy, createdTime, lastModifiedBy, lastModifiedTime } = systemColumns
const { deletionId, deletedTime, deletedBy } = systemColumns
const deletionName = sql.id(deletionId.name)

/** Whether a write raises the versions of records, or leaves them, as when cells only move to another column. */
export type Versions = 'count' | 'stay'

/** How many records a statement changes, and the least and the greatest of their numbers where it is told them. */
export interface WrittenRows {
  readonly count: number
  readonly ends: readonly [first: number, last: number] | undefined
}

function countedIn(versions: Versions): readonly RawBuilder<unknown>[] {
  return versions === 'count' ? [nextVersion] : []
}

/** The statements that write records of one schema. */
export class WriteStatements {
  readonly #table: RecordTable

  constructor(schema: TableSchema, dialect: SqlDialect) {
    this.#table = recordTableOf(schema, dialect)
  }

  /** What differs between the records that are made together. */
  get ownColumns(): readonly TypedColumn[] {
    return this.#table.ownColumns
  }

  /** Adds so many rows, in their order. Values: when, who, then those of `ownColumns`, row by row. */
  insertInOrder(rows: number): string {
    const { dialect, texts } = this.#table
    return texts.of(`insert in order ${rows}`, () => {
      return this.#insert((columns) => dialect.rows.table('v', columns, rows))
    })
  }

  /** Adds the rows that wait, in their order. Values: when, who. */
  insertWaiting(): string {
    const { dialect, texts } = this.#table
    return texts.of('insert waiting', () => {
      const { waiting } = dialect.rows
      assert(waiting, 'rows wait where they are added in order')
      return this.#insert((columns) => waiting('v', columns))
    })
  }

  /** What is written of a record that has a number already, and of what deleted it, where some were deleted. */
  numberedColumns(areMarked: boolean): readonly TypedColumn[] {
    return areMarked ? this.#table.markedColumns : this.#table.numberedColumns
  }

  /** Adds so many rows that have numbers. Values: those of `numberedColumns`, row by row. */
  insertNumbered(rows: number, areMarked: boolean): string {
    const { dialect, name, texts } = this.#table
    return texts.of(`insert numbered ${areMarked} ${dialect.rows.shape(rows)}`, () => {
      const written = this.numberedColumns(areMarked)
      const { columns, values } = new RowsOfValues(written)
      const added = dialect.rows.table('v', columns, rows)
      // What a bulk insert must answer on a distributed database.
      const answer = sql.id(id.name)
      return sql`insert into ${name} (${nameList(written)}) select ${values} from ${added} returning ${answer}`
    })
  }

  /** Has numbers go on after one. Values: that. Undefined where the engine sees for itself. */
  continueNumbers(schema: TableSchema): string | undefined {
    const { dialect, texts } = this.#table
    const statement = dialect.tables.continueNumbers?.({
      id: schema.tableId,
      baseId: schema.baseId,
    })
    return statement && texts.of('continue numbers', () => statement)
  }

  /** Adds so many rows. Answers their ids and numbers. Values: when, who, then the rows of `ownColumns`. */
  insert(rows: number): string {
    const { dialect, texts } = this.#table
    return texts.of(`insert ${dialect.rows.shape(rows)}`, () => {
      const inserted = this.#insert((columns) => dialect.rows.table('v', columns, rows))
      return sql`${inserted} returning ${nameList([id, autoNumber])}`
    })
  }

  /** What is the same in all rows is bound once: to bind values takes as long as to store them. */
  #insert(rowsOf: (columns: readonly TypedColumn[]) => RawBuilder<unknown>): RawBuilder<unknown> {
    const { dialect, name, insertColumns, fieldColumns, ownColumns } = this.#table
    const rows = new RowsOfValues(ownColumns)
    const bind = ({ type }: TypedColumn) => dialect.values.bind(new Place(), type)
    const made = sql`(select ${bind(createdTime)} as made_time, ${bind(createdBy)} as made_by) as m`
    const system = sql`${rows.valueOf(id)}, made_time, made_time, made_by, ${sql.lit(nobody)}, 1`
    const values = sql.join([system, ...fieldColumns.map((column) => rows.valueOf(column))])
    return sql`insert into ${name} (${nameList(insertColumns)}) select ${values} from ${made} cross join ${rowsOf(rows.columns)}`
  }

  /**
   * Replaces values of so many records. Values: who, when, then the rows, each with its number first, then the ends of their
   * numbers where they are given.
   */
  update(columns: readonly Column[], rows: WrittenRows): string {
    const { texts } = this.#table
    return texts.of(`update ${this.#shapeOf(rows)} ${keyOf(columns)}`, () => {
      const by = [lastModifiedBy, lastModifiedTime].map(toPlace)
      return this.#setRows(columns, rows, [...by, nextVersion])
    })
  }

  /** Does the same without who and when. Values: the rows, then the ends. Empties other columns, too. */
  setCells(
    columns: readonly Column[],
    rows: WrittenRows,
    emptied: readonly Pick<PhysicalColumn, 'name'>[],
    versions: Versions,
  ): string {
    const { texts } = this.#table
    const key = `set ${versions} ${this.#shapeOf(rows)} ${keyOf(columns)} ${nameKey(emptied)}`
    const others = [...countedIn(versions), ...emptied.map(toNull)]
    return texts.of(key, () => this.#setRows(columns, rows, others))
  }

  /** Gives records the same values. Values: one per column, then the list of numbers, or the first and the last number. */
  setSameCells(
    where: 'listed' | 'between',
    columns: readonly Column[],
    emptied: readonly Pick<PhysicalColumn, 'name'>[],
    versions: Versions,
  ): string {
    const { dialect, name, texts } = this.#table
    return texts.of(`set same ${where} ${versions} ${keyOf(columns)} ${nameKey(emptied)}`, () => {
      const set = columns.map(
        (column) => sql`${sql.id(column.name)} = ${dialect.values.bind(new Place(), column.type)}`,
      )
      const all = sql.join([...set, ...emptied.map(toNull), ...countedIn(versions)])
      const number = sql.id(autoNumber.name)
      const isAsked =
        where === 'listed'
          ? dialect.lists.includes(new Place(), autoNumber)
          : sql`${number} between ${new Place()} and ${new Place()}`
      return sql`update ${name} as t set ${all} where ${isAsked}`
    })
  }

  /** Marks records as deleted. Values: the operation, when, who, the list of ids. */
  get markDeleted(): string {
    const { dialect, name, texts } = this.#table
    return texts.of('mark deleted', () => {
      const mark = sql.join([deletionId, deletedTime, deletedBy].map(toPlace))
      const isAsked = sql`${isLiving} and ${dialect.lists.includes(new Place(), id)}`
      return sql`update ${name} set ${mark} where ${isAsked}`
    })
  }

  /** Takes the mark of an operation from records. Values: the operation, the list of ids. */
  get restore(): string {
    const { dialect, name, texts } = this.#table
    return texts.of('restore', () => {
      const unmarked = [deletionId, deletedTime, deletedBy].map(
        (column) => sql`${sql.id(column.name)} = null`,
      )
      const isAsked = sql`${deletionName} = ${new Place()} and ${dialect.lists.includes(new Place(), id)}`
      return sql`update ${name} set ${sql.join(unmarked)} where ${isAsked}`
    })
  }

  /** Has living records count as deleted ones. Values: the list of their numbers. */
  get setAside(): string {
    return this.#markAll('set aside', sql`${deletionName} = ''`, isLiving)
  }

  /** Has the same records count as living ones again. Values: the list of their numbers. */
  get putBack(): string {
    return this.#markAll('put back', sql`${deletionName} = null`, sql`${deletionName} = ''`)
  }

  #markAll(key: string, set: RawBuilder<unknown>, condition: RawBuilder<unknown>): string {
    const { dialect, name, texts } = this.#table
    return texts.of(key, () => {
      const isAsked = sql`${condition} and ${dialect.lists.includes(new Place(), autoNumber)}`
      return sql`update ${name} set ${set} where ${isAsked}`
    })
  }

  /** The bytes of records of numbers in a list. Values: the list. */
  get bytesOfNumbers(): string {
    const { dialect } = this.#table
    const condition = () => dialect.lists.includes(new Place(), autoNumber)
    return this.#table.bytes('of numbers', condition)
  }

  /** The bytes of records of ids in a list. Values: the list. */
  get bytesOfIds(): string {
    const { dialect } = this.#table
    return this.#table.bytes('of ids', () => dialect.lists.includes(new Place(), id))
  }

  #shapeOf({ count, ends }: WrittenRows): string {
    return `${this.#table.dialect.rows.shape(count)} ${ends !== undefined}`
  }

  /** The rows stand after the other values, because places are in the order of the text. */
  #setRows(
    columns: readonly Column[],
    { count, ends }: WrittenRows,
    others: readonly RawBuilder<unknown>[],
  ): RawBuilder<unknown> {
    const { dialect, name } = this.#table
    const rows = new RowsOfValues([autoNumber, ...columns])
    const values = dialect.rows.table('v', rows.columns, count)
    const set = columns.map((column) => sql`${sql.id(column.name)} = ${rows.valueOf(column)}`)
    const number = sql.id(autoNumber.name)
    const isIts = sql`t.${number} = ${rows.valueOf(autoNumber)}`
    const isWithin = sql`t.${number} between ${new Place()} and ${new Place()}`
    const condition = ends ? sql`${isIts} and ${isWithin}` : isIts
    return sql`update ${name} as t set ${sql.join([...others, ...set])} from ${values} where ${condition}`
  }
}

function toPlace({ name }: TypedColumn): RawBuilder<unknown> {
  return sql`${sql.id(name)} = ${new Place()}`
}

function toNull({ name }: Pick<PhysicalColumn, 'name'>): RawBuilder<unknown> {
  return sql`${sql.id(name)} = null`
}

function nameKey(columns: readonly Pick<PhysicalColumn, 'name'>[]): string {
  return columns.map(({ name }) => `${name.length} ${name}`).join()
}
