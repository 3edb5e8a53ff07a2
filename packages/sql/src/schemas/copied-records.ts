import { assert } from '@gateleg/domain/errors'
import type { NumberRange } from '@gateleg/domain/records/stored/number-range'
import type { ChangedRecords } from '@gateleg/domain/schemas/table-rebuild-repository'
import type { Table } from '@gateleg/domain/tables/table'
import { type RawBuilder, sql } from 'kysely'
import type { CopyDialect, LookBeginning } from '../core/dialect/table-dialect.ts'
import type { SqlSession } from '../core/session.ts'
import { copyNameOf, notesNameOf } from '../metadata/tables/table-rebuild-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

/** Records that are looked at one by one at most: more take as long as a look at all. */
const latelyMost = 10_000

const number = sql.id(systemColumns.autoNumber.name)
const noted = sql.id('number')
const id = sql.id(systemColumns.id.name)

/** The records of a table that is being copied, and which state of each the copy has: that is noted beside them. */
export class CopiedRecords {
  readonly #session: SqlSession
  readonly #tableId: string
  readonly #copies: CopyDialect
  readonly #old: RawBuilder<unknown>
  readonly #copy: RawBuilder<unknown>
  readonly #notes: RawBuilder<unknown>

  constructor(session: SqlSession, { id: tableId, baseId, dbTableName }: Table) {
    const { tables } = session.dialect
    const { copies } = tables
    assert(copies, 'the storage copies tables')
    this.#session = session
    this.#tableId = tableId
    this.#copies = copies
    this.#old = tables.named(baseId, dbTableName)
    this.#copy = tables.named(baseId, copyNameOf(tableId))
    this.#notes = tables.named(baseId, notesNameOf(tableId))
  }

  /** Makes the table of the notes, which has none yet. */
  async makeNotes(): Promise<void> {
    const versions = this.#copies.versions.map(
      ({ name, type }) => sql`${sql.id(notedAs(name))} ${sql.raw(type)} not null`,
    )
    const key = sql`constraint ${sql.id(`${notesNameOf(this.#tableId)}_pk`)} primary key (${noted})`
    await this.#session.define(
      sql`create table ${this.#notes} (${noted} bigint not null, ${sql.join(versions)}, ${key})`,
    )
  }

  /**
   * Copies those columns of the records as they are now, and notes which state that is. Answers how many of them wait for
   * others, whose ids or unique values they have by now: nothing is noted of these.
   */
  async bring(numbers: readonly number[], names: readonly string[]): Promise<number> {
    const { isIn } = this.#session.dialect.lists
    const [old, copy, notes] = [this.#old, this.#copy, this.#notes]
    const isNumber = isIn(sql<string>`${number}`, numbers)
    await this.#session.runOnce(sql`delete from ${copy} where ${isNumber}`)
    await this.#session.runOnce(
      sql`delete from ${notes} where ${isIn(sql<string>`${noted}`, numbers)}`,
    )
    const { versions } = this.#copies
    const read = sql.join(versions.map(({ name }) => sql.id(name)))
    const written = sql.join(versions.map(({ name }) => sql.id(notedAs(name))))
    const found = await this.#session.allOnce(
      sql<{
        number: number | string
      }>`insert into ${notes} (${noted}, ${written}) select ${number}, ${read} from ${old} where ${isNumber} on conflict (${noted}) do nothing returning ${noted} as number`,
    )
    // Each in the state that was noted: what was changed in between is found and brought later.
    const columns = sql.join(names.map((name) => sql.id(name)))
    const values = sql.join(names.map((name) => sql`o.${sql.id(name)}`))
    const isAsked = isIn(sql<string>`n.${noted}`, numbers)
    const copied = await this.#session.allOnce(
      sql<{
        number: number | string
      }>`insert into ${copy} (${columns}) select ${values} from ${old} as o join ${notes} as n on o.${number} = n.${noted} where ${isAsked} and ${this.#isAsNoted} on conflict do nothing returning ${number} as number`,
    )
    const done = new Set(copied.map((row) => Number(row.number)))
    const left = found.map((row) => Number(row.number)).filter((one) => !done.has(one))
    if (left.length > 0) {
      const isLeft = isIn(sql<string>`${noted}`, left)
      await this.#session.runOnce(sql`delete from ${notes} where ${isLeft}`)
    }
    return left.length
  }

  /** The records that have another state than the copy has of them, those first that it has; so many at most. */
  async changed(most: number, range?: NumberRange): Promise<ChangedRecords> {
    const names = this.#copies.versions.map(({ name }) => name)
    const within = (column: RawBuilder<unknown>) =>
      range ? sql`where ${column} > ${range.after} and ${column} <= ${range.until}` : sql``
    const versions = sql.join(names.map((name) => sql.id(name)))
    const old = sql`(select ${number}, ${id}, ${versions} from ${this.#old} ${within(number)}) as o`
    const notes = sql`(select * from ${this.#notes} ${within(noted)}) as n`
    // Those first that the copy has in another state: values of theirs are in the way of others.
    const rows = await this.#session.allOnce(
      sql<{
        number: number | string
        id: string | null
      }>`select coalesce(n.${noted}, o.${number}) as number, o.${id} as id from ${old} full join ${notes} on o.${number} = n.${noted} where ${this.#differs} order by n.${noted} is null limit ${most}`,
    )
    return toChanged(rows)
  }

  /**
   * Those that were changed since a look that left nothing. Undefined where only a look at all tells, as some were removed since, or
   * too many changed to be looked at one by one.
   */
  async changedLately(most: number, look: LookBeginning): Promise<ChangedRecords | undefined> {
    const [old, notes] = [this.#old, this.#notes]
    const { lists } = this.#session.dialect
    const [counts] = await this.#session.allOnce(
      sql<{
        records: number | string
        noted: number | string
        lately: readonly (number | string)[]
      }>`select (select count(*) from ${old}) as records, (select count(*) from ${notes}) as noted, array(select ${number} from ${old} where ${this.#copies.isSince(look)} limit ${latelyMost + 1}) as lately`,
    )
    assert(counts, 'records are counted')
    const lately = counts.lately.map(Number)
    if (lately.length > latelyMost) return undefined
    const versions = sql.join(this.#copies.versions.map(({ name }) => sql.id(name)))
    const some = sql`select ${number}, ${id}, ${versions} from ${old} where ${lists.isIn(sql<string>`${number}`, lately)}`
    const rows = await this.#session.allOnce(
      sql<{
        number: number | string
        id: string
        is_new: boolean
      }>`select o.${number} as number, o.${id} as id, n.${noted} is null as is_new from (${some}) as o left join ${notes} as n on o.${number} = n.${noted} where ${this.#differs} order by is_new`,
    )
    const added = rows.filter((row) => row.is_new).length
    const areAll = Number(counts.records) - added === Number(counts.noted)
    return areAll ? toChanged(rows.slice(0, most)) : undefined
  }

  /** Whether one of them was written since it was copied. */
  async wereWritten(): Promise<boolean> {
    if ((await this.changed(1)).numbers.length === 0) return false
    // Where no row is as it was noted, all of them have come from a backup, or to another machine.
    const same = await this.#session.allOnce(
      sql`select 1 as found from ${this.#old} as o join ${this.#notes} as n on o.${number} = n.${noted} where ${this.#isAsNoted} limit 1`,
    )
    return same.length > 0
  }

  /** Whether a record of the old one, as `o`, has another state than the one that was noted of it, as `n`, or either is missing. */
  get #differs(): RawBuilder<unknown> {
    const differs = this.#copies.versions.map(
      ({ name }) => sql`n.${sql.id(notedAs(name))} is distinct from o.${sql.id(name)}`,
    )
    return sql.join(differs, sql` or `)
  }

  /** Whether a record of the old one, as `o`, is in the state that was noted of it, as `n`. */
  get #isAsNoted(): RawBuilder<unknown> {
    const same = this.#copies.versions.map(
      ({ name }) => sql`o.${sql.id(name)} = n.${sql.id(notedAs(name))}`,
    )
    return sql.join(same, sql` and `)
  }
}

/** Those first that the copy has in another state. */
function toChanged(
  rows: readonly { readonly number: number | string; readonly id: string | null }[],
): ChangedRecords {
  return {
    numbers: rows.map((row) => Number(row.number)),
    recordIds: rows.flatMap((row) => row.id ?? []),
  }
}

/** The column of the notes for a column of every row: engines keep the names of those to themselves. */
function notedAs(version: string): string {
  return `noted_${version}`
}
