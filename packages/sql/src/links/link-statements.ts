import {
  hasMany,
  isExclusive,
  type LinkEnd,
  linkTablePrefix,
  otherEnd,
} from '@gateleg/domain/fields/link-end'
import type { WhichPairs } from '@gateleg/domain/links/link-repository'
import type { Condition } from '@gateleg/domain/queries/condition'
import { type RawBuilder, sql } from 'kysely'
import { Place } from '../core/dialect/place.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import { isLiving } from '../record-tables/is-living.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

// Stored names stay, though the owner was once called the maker.
const ownerId = { name: '__maker_id', type: 'TEXT' } as const
const otherId = { name: '__other_id', type: 'TEXT' } as const
const ownerPosition = { name: '__maker_position', type: 'INTEGER' } as const
const otherPosition = { name: '__other_position', type: 'INTEGER' } as const
const { id, deletionId } = systemColumns

/** The columns of the table that holds the pairs of a link. */
export const linkColumns: readonly TypedColumn[] = [
  ownerId,
  otherId,
  ownerPosition,
  otherPosition,
  deletionId,
]

/** Pairs that are there, or that were taken away. An index may have those of one kind alone, so each is asked for by itself. */
export type PairKind = 'living' | 'lost'

export const pairKinds: readonly PairKind[] = ['living', 'lost']

const kinds: Readonly<Record<PairKind, RawBuilder<unknown>>> = {
  living: isLiving,
  lost: sql`${sql.id(deletionId.name)} is not null`,
}

/** The table that holds the pairs of a link, under the id of its owner. */
function linkTable(
  { tables }: SqlDialect,
  baseId: string,
  ownerFieldId: string,
): RawBuilder<unknown> {
  return tables.named(baseId, `${linkTablePrefix}${ownerFieldId}`)
}

/** The statement that removes the pairs of a link with their table, if they are there. */
export function dropLinkTable(
  dialect: SqlDialect,
  baseId: string,
  ownerFieldId: string,
): RawBuilder<unknown> {
  return sql`drop table if exists ${linkTable(dialect, baseId, ownerFieldId)}`
}

/** The records that are linked at the other end: to a record, to all others, or to any; of these, to those that a query gives. */
export function linkedRecords(
  { end, recordId, isLeftOut }: Extract<Condition, { kind: 'linked' }>,
  dialect: SqlDialect,
  among?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [self, foreign] = end.isOwner ? [ownerId, otherId] : [otherId, ownerId]
  const given = dialect.queries.given(recordId, 'TEXT')
  const sign = sql.raw(isLeftOut ? '<>' : '=')
  const isOf = recordId === undefined ? sql`` : sql` and ${sql.id(self.name)} ${sign} ${given}`
  const table = linkTable(dialect, end.baseId, end.ownerFieldId)
  const isAmong = among ? sql` and ${sql.id(self.name)} in (${among})` : sql``
  return sql`select ${sql.id(foreign.name)} from ${table} where ${isLiving}${isOf}${isAmong}`
}

/** The ids of records at an end, named as records have them, that are linked to one at the other end. Values: its id, how many to take. */
export function linkedTo(end: LinkEnd, dialect: SqlDialect, foreignId: Place): RawBuilder<unknown> {
  const [self, foreign] = end.isOwner ? [ownerId, otherId] : [otherId, ownerId]
  const table = linkTable(dialect, end.baseId, end.ownerFieldId)
  const isAsked = sql`${isLiving} and ${sql.id(foreign.name)} = ${foreignId}`
  return sql`select ${sql.id(self.name)} as ${sql.id(id.name)} from ${table} where ${isAsked} limit ${new Place()}`
}

/**
 * The statements for the pairs of one link, as one of its ends sees them. Their text depends on the link
 * alone, and on how many rows they take.
 */
export class LinkStatements {
  /**
   * The columns of a pair in this end's order: the record, the foreign one, their places, and the operation that took the pair
   * away, if one did.
   */
  readonly columns: readonly TypedColumn[]
  /** The first two of them. */
  readonly keyColumns: readonly TypedColumn[]
  readonly #dialect: SqlDialect
  readonly #end: LinkEnd
  readonly #texts: StatementTexts
  readonly #self: TypedColumn
  readonly #foreign: TypedColumn
  readonly #position: TypedColumn
  readonly #foreignPosition: TypedColumn

  constructor(end: LinkEnd, dialect: SqlDialect) {
    const owner = [ownerId, ownerPosition] as const
    const other = [otherId, otherPosition] as const
    const [self, foreign] = end.isOwner ? [owner, other] : [other, owner]
    this.#dialect = dialect
    this.#end = end
    // A link is told from all others by its owner, whose id is never used again.
    this.#texts = new StatementTexts(
      dialect,
      `links ${end.baseId} ${end.ownerFieldId} ${end.isOwner}`,
    )
    this.#self = self[0]
    this.#foreign = foreign[0]
    this.#position = self[1]
    this.#foreignPosition = foreign[1]
    this.keyColumns = [this.#self, this.#foreign]
    this.columns = [...this.keyColumns, this.#position, this.#foreignPosition, deletionId]
  }

  /** The statements that make the table, with what an end that takes one link at most refuses. */
  get create(): readonly RawBuilder<unknown>[] {
    const { columnTypes } = this.#dialect.tables
    const { relationship } = this.#end.isOwner ? this.#end : otherEnd(this.#end)
    const definitions = [ownerId, otherId, ownerPosition, otherPosition].map(
      ({ name, type }) => sql`${sql.id(name)} ${sql.raw(columnTypes[type])} not null`,
    )
    const deletion = sql`${sql.id(deletionId.name)} ${sql.raw(columnTypes[deletionId.type])}`
    const key = sql`constraint ${this.#named('pk')} primary key (${nameList([ownerId, otherId])})`
    const statements = [
      sql`create table ${this.#table} (${sql.join([...definitions, deletion, key])})`,
      this.#index(otherId, isExclusive(relationship)),
    ]
    // The unique index has the living pairs alone.
    if (isExclusive(relationship)) statements.push(this.#indexOfLost(otherId))
    // The primary key finds the pairs of an owner's record.
    if (!hasMany(relationship)) statements.push(this.#index(ownerId, true))
    return statements
  }

  get drop(): RawBuilder<unknown> {
    return dropLinkTable(this.#dialect, this.#end.baseId, this.#end.ownerFieldId)
  }

  /** The pairs of records, in their order. Values: the list of ids. */
  of(which: WhichPairs = 'living'): string {
    return this.#texts.of(`of ${which}`, () => {
      const order = nameList([this.#self, this.#position, this.#foreign])
      return sql`select ${nameList(this.columns)} from ${this.#table} where ${this.#are(which)} order by ${order}`
    })
  }

  /** How many pairs records have. Values: the list of ids. */
  count(which: WhichPairs = 'living'): string {
    const self = sql.id(this.#self.name)
    return this.#texts.of(
      `count ${which}`,
      () =>
        sql`select ${self}, count(*) from ${this.#table} where ${this.#are(which)} group by ${self}`,
    )
  }

  /** How many pairs there are, deleted ones too. */
  get total(): string {
    return this.#texts.of('total', () => sql`select count(*) from ${this.#table}`)
  }

  /** How many pairs were taken away. */
  get totalLost(): string {
    return this.#texts.of(
      'total lost',
      () => sql`select count(*) from ${this.#table} where ${kinds.lost}`,
    )
  }

  /** The records that have many pairs. Values: after which id, more than how many, how many to take. */
  get withMany(): string {
    return this.#texts.of('with many', () => {
      const self = sql.id(this.#self.name)
      const [after, moreThan, most] = [new Place(), new Place(), new Place()]
      return sql`select ${self} from ${this.#table} where ${isLiving} and ${self} > ${after} group by ${self} having count(*) > ${moreThan} order by ${self} limit ${most}`
    })
  }

  /**
   * The records that are linked to foreign ones, each once; to a single one, no record is twice. Values: the list of ids, how
   * many to take.
   */
  recordsLinkedTo(are: 'one' | 'many'): string {
    return this.#texts.of(`records linked to ${are}`, () => {
      const isAsked = sql`${isLiving} and ${this.#isOf(this.#foreign)}`
      const self = sql.id(this.#self.name)
      const found = sql`select ${self} from ${this.#table} where ${isAsked}`
      if (are === 'one') return sql`${found} limit ${new Place()}`
      // The limit inside keeps the one outside from the search for pairs. PostgreSQL, which may take the limit for a single
      // row, would go through all pairs there are, as they come each once in the order of an index.
      return sql`select distinct ${self} from (${found} limit ${sql.lit(Number.MAX_SAFE_INTEGER)}) as found limit ${new Place()}`
    })
  }

  /** The last places at foreign records, those of deleted pairs too. Values: the list of their ids. */
  get lastPositions(): string {
    return this.#texts.of('last positions', () => {
      const foreign = sql.id(this.#foreign.name)
      const last = sql`max(${sql.id(this.#foreignPosition.name)})`
      return sql`select ${foreign}, ${last} from ${this.#table} where ${this.#isOf(this.#foreign)} group by ${foreign}`
    })
  }

  /** Removes so many living pairs, given by their keys. Values: the rows. */
  remove(rows: number): string {
    return this.#texts.of(`remove ${this.#dialect.rows.shape(rows)}`, () => {
      const keys = nameList(this.keyColumns)
      const values = this.#dialect.rows.table('v', this.keyColumns, rows)
      return sql`delete from ${this.#table} where ${isLiving} and (${keys}) in (select ${keys} from ${values})`
    })
  }

  /** Adds so many pairs; one that is there gets its place at this end, and keeps that at the other. Values: the rows. */
  put(rows: number): string {
    return this.#texts.of(`put ${this.#dialect.rows.shape(rows)}`, () => {
      const columns = nameList(this.columns)
      const values = this.#dialect.rows.table('v', this.columns, rows)
      const position = sql.id(this.#position.name)
      const change = sql`do update set ${position} = excluded.${position}`
      return sql`insert into ${this.#table} (${columns}) select ${columns} from ${values} where true on conflict (${nameList([ownerId, otherId])}) ${change}`
    })
  }

  /** How many pairs of records there are of a kind. Values: the list of ids. */
  countOf(which: PairKind): string {
    return this.#texts.of(
      `count of ${which}`,
      () =>
        sql`select count(*) from ${this.#table} where ${kinds[which]} and ${this.#isOf(this.#self)}`,
    )
  }

  /** Takes the pairs of records away. Values: the operation, the list of ids. */
  get markDeleted(): string {
    return this.#texts.of('mark deleted', () => {
      const mark = sql`${sql.id(deletionId.name)} = ${new Place()}`
      return sql`update ${this.#table} set ${mark} where ${isLiving} and ${this.#isOf(this.#self)}`
    })
  }

  /** The foreign records of pairs that an operation took away. Values: the operation, the list of ids. */
  get lostBy(): string {
    return this.#texts.of('lost by', () => {
      const isLost = sql`${sql.id(deletionId.name)} = ${new Place()} and ${this.#isOf(this.#self)}`
      return sql`select distinct ${sql.id(this.#foreign.name)} from ${this.#table} where ${isLost}`
    })
  }

  /** Has another operation be what took pairs away. Values: that one, the one before, the lists of foreign ids and of ids. */
  get handOver(): string {
    return this.#texts.of('hand over', () => {
      const mark = sql.id(deletionId.name)
      const isLost = sql`${mark} = ${new Place()} and ${this.#isOf(this.#foreign)} and ${this.#isOf(this.#self)}`
      return sql`update ${this.#table} set ${mark} = ${new Place()} where ${isLost}`
    })
  }

  /**
   * A record, at this end or at the other, that lost several pairs by an operation, and the first and the last one to which these
   * lead. Values: the operation, the list of ids at this end.
   */
  clashAt(where: 'self' | 'foreign'): string {
    return this.#texts.of(`clash at ${where}`, () => {
      const [one, other] = [sql.id(this.#self.name), sql.id(this.#foreign.name)]
      const [taker, linked] = where === 'self' ? [one, other] : [other, one]
      const isLost = sql`${sql.id(deletionId.name)} = ${new Place()} and ${this.#isOf(this.#self)}`
      return sql`select ${taker}, min(${linked}), max(${linked}) from ${this.#table} where ${isLost} group by ${taker} having count(*) > 1 order by ${taker} limit 1`
    })
  }

  /** Gives pairs back that an operation took away. Values: the operation, the list of ids. */
  get restore(): string {
    return this.#texts.of('restore', () => {
      const mark = sql.id(deletionId.name)
      const isLost = sql`${mark} = ${new Place()} and ${this.#isOf(this.#self)}`
      return sql`update ${this.#table} set ${mark} = null where ${isLost}`
    })
  }

  /** Removes the pairs of records of a kind. Values: the list of ids. */
  purge(which: PairKind): string {
    return this.#texts.of(
      `purge ${which}`,
      () => sql`delete from ${this.#table} where ${kinds[which]} and ${this.#isOf(this.#self)}`,
    )
  }

  /** Copies the pairs of another link, whose end corresponds to this one, or its lost ones. It may lie in another base. */
  copyFrom(source: LinkStatements, which: 'all' | 'lost' = 'all'): RawBuilder<unknown> {
    const from = nameList(source.columns)
    const to = nameList(this.columns)
    const are = which === 'lost' ? sql` where ${kinds.lost}` : sql``
    const pairs = sql`with pairs as materialized (select ${from} from ${source.#table}${are})`
    // No pair is there twice, in the other link neither; without a conflict's clause Citus tells another breach by no code.
    const none = sql`on conflict (${nameList([ownerId, otherId])}) do nothing`
    return sql`${pairs} insert into ${this.#table} (${to}) select ${from} from pairs where true ${none}`
  }

  get #table(): RawBuilder<unknown> {
    return linkTable(this.#dialect, this.#end.baseId, this.#end.ownerFieldId)
  }

  #are(which: WhichPairs): RawBuilder<unknown> {
    const isOf = this.#isOf(this.#self)
    return which === 'all' ? isOf : sql`${isLiving} and ${isOf}`
  }

  #isOf(column: TypedColumn): RawBuilder<unknown> {
    return this.#dialect.lists.includes(new Place(), column)
  }

  #index(column: TypedColumn, isUnique: boolean): RawBuilder<unknown> {
    const name = this.#named(column === ownerId ? 'maker' : 'other')
    const on = sql`${name} on ${this.#table} (${sql.id(column.name)})`
    return isUnique ? sql`create unique index ${on} where ${isLiving}` : sql`create index ${on}`
  }

  #indexOfLost(column: TypedColumn): RawBuilder<unknown> {
    return sql`create index ${this.#named('lost')} on ${this.#table} (${sql.id(column.name)}) where ${kinds.lost}`
  }

  #named(suffix: string): RawBuilder<unknown> {
    return sql.id(`${this.#end.ownerFieldId}_link_${suffix}`)
  }
}
