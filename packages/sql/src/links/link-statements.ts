import { hasMany, isExclusive, type LinkSide, otherEnd } from '@gateleg/domain/fields/link-side'
import type { SqlDialect, TypedColumn } from '../core/dialect.ts'
import { quote, systemColumns } from '../schemas/record-table.ts'

const makerId = { name: '__maker_id', type: 'TEXT' } as const
const otherId = { name: '__other_id', type: 'TEXT' } as const
const makerPosition = { name: '__maker_position', type: 'INTEGER' } as const
const otherPosition = { name: '__other_position', type: 'INTEGER' } as const
const { deletionId } = systemColumns

const isLiving = `${quote(deletionId.name)} is null`

function list(columns: readonly TypedColumn[]): string {
  return columns.map(({ name }) => quote(name)).join(', ')
}

/** The table that holds the pairs of a link, under the id of the field that made it. */
function linkTable(dialect: SqlDialect, baseId: string, makerFieldId: string): string {
  return dialect.recordTable(baseId, `__link_${makerFieldId}`)
}

/** The statement that removes the pairs of a link with their table, if they are there. */
export function dropLinkTable(dialect: SqlDialect, baseId: string, makerFieldId: string): string {
  return `drop table if exists ${linkTable(dialect, baseId, makerFieldId)}`
}

/**
 * The statements for the pairs of one link, as one of its ends sees them. Their text depends on the link
 * alone, and on how many rows they take.
 */
export class LinkStatements {
  /** The columns of a pair in this end's order: the record, the foreign one, their places. */
  readonly columns: readonly TypedColumn[]
  /** The first two of them. */
  readonly keyColumns: readonly TypedColumn[]
  readonly #dialect: SqlDialect
  readonly #end: LinkSide
  readonly #table: string
  readonly #self: TypedColumn
  readonly #foreign: TypedColumn
  readonly #position: TypedColumn
  readonly #foreignPosition: TypedColumn

  constructor(end: LinkSide, dialect: SqlDialect) {
    const maker = [makerId, makerPosition] as const
    const other = [otherId, otherPosition] as const
    const [self, foreign] = end.isMaker ? [maker, other] : [other, maker]
    this.#dialect = dialect
    this.#end = end
    this.#table = linkTable(dialect, end.baseId, end.makerFieldId)
    this.#self = self[0]
    this.#foreign = foreign[0]
    this.#position = self[1]
    this.#foreignPosition = foreign[1]
    this.keyColumns = [this.#self, this.#foreign]
    this.columns = [...this.keyColumns, this.#position, this.#foreignPosition]
  }

  /** The statements that make the table, with what an end that takes one link at most refuses. */
  get create(): readonly string[] {
    const { columnTypes } = this.#dialect
    const { relationship } = this.#end.isMaker ? this.#end : otherEnd(this.#end)
    const definitions = [makerId, otherId, makerPosition, otherPosition].map(
      ({ name, type }) => `${quote(name)} ${columnTypes[type]} not null`,
    )
    const deletion = `${quote(deletionId.name)} ${columnTypes[deletionId.type]}`
    const key = `constraint ${this.#named('pk')} primary key (${list([makerId, otherId])})`
    const statements = [
      `create table ${this.#table} (${definitions.join(', ')}, ${deletion}, ${key})`,
      this.#index(otherId, isExclusive(relationship)),
    ]
    // The primary key finds the pairs of a maker's record.
    if (!hasMany(relationship)) statements.push(this.#index(makerId, true))
    return statements
  }

  get drop(): string {
    return dropLinkTable(this.#dialect, this.#end.baseId, this.#end.makerFieldId)
  }

  /** The pairs of records, in their order. Values: the list of ids. */
  get of(): string {
    const order = list([this.#self, this.#position, this.#foreign])
    return `select ${list(this.columns)} from ${this.#table} where ${isLiving} and ${this.#dialect.isInList(this.#self, 1)} order by ${order}`
  }

  /** How many pairs records have. Values: the list of ids. */
  get count(): string {
    const self = quote(this.#self.name)
    const condition = this.#dialect.isInList(this.#self, 1)
    return `select ${self}, count(*) from ${this.#table} where ${isLiving} and ${condition} group by ${self}`
  }

  /** The records that have many pairs. Values: after which id, more than how many, how many to take. */
  get withMany(): string {
    const self = quote(this.#self.name)
    const [after, moreThan, most] = [1, 2, 3].map((n) => this.#dialect.placeholder(n))
    return `select ${self} from ${this.#table} where ${isLiving} and ${self} > ${after} group by ${self} having count(*) > ${moreThan} order by ${self} limit ${most}`
  }

  /** The records that are linked to foreign ones. Values: the list of ids, how many to take. */
  get recordsLinkedTo(): string {
    const condition = this.#dialect.isInList(this.#foreign, 1)
    return `select distinct ${quote(this.#self.name)} from ${this.#table} where ${isLiving} and ${condition} limit ${this.#dialect.placeholder(2)}`
  }

  /** The last places at foreign records, those of deleted pairs too. Values: the list of their ids. */
  get lastPositions(): string {
    const foreign = quote(this.#foreign.name)
    return `select ${foreign}, max(${quote(this.#foreignPosition.name)}) from ${this.#table} where ${this.#dialect.isInList(this.#foreign, 1)} group by ${foreign}`
  }

  /** Removes so many living pairs, given by their keys. */
  remove(rows: number): string {
    const keys = list(this.keyColumns)
    const values = this.#dialect.rowsTable('v', this.keyColumns, rows, 1)
    return `delete from ${this.#table} where ${isLiving} and (${keys}) in (select ${keys} from ${values})`
  }

  /** Adds so many pairs; one that is there gets its place at this end, and keeps that at the other. */
  put(rows: number): string {
    const columns = list(this.columns)
    const values = this.#dialect.rowsTable('v', this.columns, rows, 1)
    const position = quote(this.#position.name)
    const change = `do update set ${position} = excluded.${position}`
    return `insert into ${this.#table} (${columns}) select ${columns} from ${values} where true on conflict (${list([makerId, otherId])}) ${change}`
  }

  /** How many pairs records have. Values: the list of ids. */
  get countOf(): string {
    return `select count(*) from ${this.#table} where ${this.#dialect.isInList(this.#self, 1)}`
  }

  /** Takes the pairs of records away. Values: the operation, the list of ids. */
  get markDeleted(): string {
    const set = `${quote(deletionId.name)} = ${this.#dialect.placeholder(1)}`
    return `update ${this.#table} set ${set} where ${isLiving} and ${this.#dialect.isInList(this.#self, 2)}`
  }

  /** Copies all pairs of another link, whose end corresponds to this one. It may lie in another base. */
  copyFrom(source: LinkStatements): string {
    const [from, to] = [source, this].map(({ columns }) => list([...columns, deletionId]))
    const pairs = `with pairs as materialized (select ${from} from ${source.#table})`
    return `${pairs} insert into ${this.#table} (${to}) select ${from} from pairs`
  }

  #index(column: TypedColumn, isUnique: boolean): string {
    const name = this.#named(column === makerId ? 'maker' : 'other')
    const on = `${name} on ${this.#table} (${quote(column.name)})`
    return isUnique ? `create unique index ${on} where ${isLiving}` : `create index ${on}`
  }

  #named(suffix: string): string {
    return quote(`${this.#end.makerFieldId}_link_${suffix}`)
  }
}
