import type { PhysicalColumn } from '@gateleg/domain/schemas/field-repository'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import { Place } from '../core/dialect/place.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { isAnyFilled } from '../core/statements/is-any-filled.ts'
import { isLiving } from '../record-tables/is-living.ts'
import {
  keyOf,
  nextVersion,
  type RecordTable,
  recordTableOf,
} from '../record-tables/record-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

const { id, autoNumber, deletionId } = systemColumns

/** The columns of a replacement: a text, and what to put for it. */
export const replacementColumns: readonly TypedColumn[] = [
  { name: '__replaced', type: 'TEXT' },
  { name: '__replacement', type: 'TEXT' },
]
const [replaced, replacement] = replacementColumns.map(({ name }) => sql.id(name))

/** The statements that work on whole columns of the records of one schema. */
export class ColumnStatements {
  readonly #table: RecordTable

  constructor(schema: TableSchema, dialect: SqlDialect) {
    this.#table = recordTableOf(schema, dialect)
  }

  /** One row when two records have the same value in the column. */
  hasRepeats(column: Column): string {
    const { name, texts } = this.#table
    return texts.of(`has repeats ${keyOf([column])}`, () => {
      const value = sql.id(column.name)
      return sql`select 1 from ${name} where ${isLiving} and ${value} is not null group by ${value} having count(*) > 1 limit 1`
    })
  }

  /** One row when a record has no value in the column. */
  hasEmpty(column: Column): string {
    const { name, texts } = this.#table
    const value = sql.id(column.name)
    return texts.of(
      `has empty ${keyOf([column])}`,
      () => sql`select 1 from ${name} where ${isLiving} and ${value} is null limit 1`,
    )
  }

  /** The bytes that the values of living records take in the column; null when there are none. */
  bytesOf(column: Column): string {
    const { dialect, name, texts } = this.#table
    return texts.of(`bytes of ${keyOf([column])}`, () => {
      const bytes = dialect.values.storedBytes(column.name)
      return sql`select sum(${bytes}) from ${name} where ${isLiving}`
    })
  }

  /** Gives records a value. Values: that one, then those of `inRange`. */
  fill(column: Column): string {
    const { dialect, name, texts } = this.#table
    return texts.of(`fill ${keyOf([column])}`, () => {
      const value = dialect.values.bind(new Place(), column.type)
      const set = sql`${sql.id(column.name)} = ${value}, ${nextVersion}`
      return sql`update ${name} as t set ${set} where ${inRange()}`
    })
  }

  /** Gives cells in a column the values that another one has. Values: those of `inRange`. */
  copy(from: Column, to: Column): string {
    const { name, texts } = this.#table
    return texts.of(`copy ${keyOf([from, to])}`, () => {
      const [value, copy] = [sql.id(from.name), sql.id(to.name)]
      const isFilled = sql`(${value} is not null or ${copy} is not null)`
      return sql`update ${name} as t set ${copy} = ${value}, ${nextVersion} where ${inRange()} and ${isFilled}`
    })
  }

  /** Counts records as changed that have a value in a column. Values: those of `inRange`. */
  touch(column: PhysicalColumn): string {
    const { name, texts } = this.#table
    return texts.of(`touch ${keyOf([column])}`, () => {
      const isFilled = sql`${sql.id(column.name)} is not null`
      return sql`update ${name} as t set ${nextVersion} where ${inRange()} and ${isFilled}`
    })
  }

  /** Takes the values out of columns. Values: those of `inRange`. */
  empty(columns: readonly PhysicalColumn[]): string {
    const { name, texts } = this.#table
    return texts.of(`empty ${keyOf(columns)}`, () => {
      const names = columns.map((column) => sql.id(column.name))
      const set = sql.join([...names.map((one) => sql`${one} = null`), nextVersion])
      return sql`update ${name} as t set ${set} where ${inRange()} and ${isAnyFilled(names)}`
    })
  }

  /**
   * Puts one text for another in so many ways. Values: the rows of `replacementColumns`, then those of
   * `inRange`. Answers the id and the deletion of every record that changed.
   */
  replaceTexts(column: Column, rows: number): string {
    const { dialect, texts } = this.#table
    return texts.of(`replace ${dialect.rows.shape(rows)} ${keyOf([column])}`, () =>
      column.type === 'TEXT'
        ? this.#replaceInTexts(column, rows)
        : this.#replaceInLists(column, rows),
    )
  }

  /** The bytes of records in a range, columns included that no field has any more. Values: those of `inRange`. */
  bytesInRange(retired: readonly TypedColumn[] = []): string {
    return this.#table.bytes('in range', inRange, retired)
  }

  #replaceInTexts(column: Column, rows: number): RawBuilder<unknown> {
    const { dialect, name } = this.#table
    const cell = sql.id(column.name)
    const values = dialect.rows.table('v', replacementColumns, rows)
    const set = sql`${cell} = v.${replacement}, ${nextVersion}`
    return sql`update ${name} as t set ${set} from ${values} where t.${cell} = v.${replaced} and ${inRange()} ${answer}`
  }

  #replaceInLists(column: Column, rows: number): RawBuilder<unknown> {
    const { dialect, name } = this.#table
    const cell = sql.id(column.name)
    const values = dialect.rows.table('v', replacementColumns, rows)
    const items = dialect.lists.items(sql`t.${cell}`, 'i')
    // An item that is there twice after it stays where it is first.
    const item = sql`case when r.${replaced} is null then i.value else r.${replacement} end`
    const isKept = sql`r.${replaced} is null or r.${replacement} is not null`
    const kept = sql`select ${item} as text, min(i.key) as place from ${items} left join r on r.${replaced} = i.value where ${isKept} group by 1`
    const made = sql`select ${dialect.lists.collect(sql`kept.text`, sql`kept.place`)} from (${kept}) as kept`
    const has = sql`select 1 from ${items} join r on r.${replaced} = i.value`
    const recordId = sql`t.${sql.id(id.name)}`
    const changed = sql`select ${recordId} as record_id, (${made}) as list from ${name} as t where ${inRange()} and exists (${has})`
    const set = sql`${cell} = s.list, ${nextVersion}`
    return sql`with r as materialized (select * from ${values}), s as materialized (${changed}) update ${name} as t set ${set} from s where ${recordId} = s.record_id ${answer}`
  }
}

/** What an update answers of each record that it changed. */
const answer = sql`returning ${nameList([id, deletionId])}`

/** Whether a record's number is in a range. Values: the number before it, its last one. */
function inRange(): RawBuilder<unknown> {
  const number = sql.id(autoNumber.name)
  return sql`${number} > ${new Place()} and ${number} <= ${new Place()}`
}
