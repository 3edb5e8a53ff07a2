import { hasMany, isExclusive, type LinkEnd } from '@gateleg/domain/fields/link-end'
import type {
  LinkedPair,
  LinkReplacement,
  LinkRepository,
  LostLinks,
  PlacedPair,
  WhichPairs,
} from '@gateleg/domain/links/link-repository'
import { refuseAsInvalid } from '../core/refuse-as-invalid.ts'
import type { SqlSession } from '../core/session.ts'
import { inChunks } from '../core/statements/in-chunks.ts'
import { LinkStatements, type PairKind, pairKinds } from './link-statements.ts'

/** Keeps the pairs of each link in a table of their own, beside the user tables of a base. */
export class SqlLinkRepository implements LinkRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async of(end: LinkEnd, recordIds: readonly string[], which?: WhichPairs) {
    if (recordIds.length === 0) return []
    const sql = this.#statements(end).of(which)
    return (await this.#session.connection.rows(sql, [recordIds])).map(toPair)
  }

  async placed(
    end: LinkEnd,
    recordIds: readonly string[],
    which?: WhichPairs,
  ): Promise<readonly PlacedPair[]> {
    if (recordIds.length === 0) return []
    const rows = await this.#session.connection.rows(this.#statements(end).of(which), [recordIds])
    return rows.map((row) => ({ ...toPair(row), place: Number(row[3]) }))
  }

  async count(end: LinkEnd, recordIds: readonly string[], which?: WhichPairs) {
    if (recordIds.length === 0) return new Map<string, number>()
    const sql = this.#statements(end).count(which)
    const rows = await this.#session.connection.rows(sql, [recordIds])
    return new Map(rows.map(([recordId, count]) => [recordId as string, Number(count)]))
  }

  async withMany(end: LinkEnd, moreThan: number, after: string, most: number) {
    const values = [after, moreThan, most]
    const rows = await this.#session.connection.rows(this.#statements(end).withMany, values)
    return rows.map(([recordId]) => recordId as string)
  }

  async recordsLinkedTo(end: LinkEnd, foreignIds: readonly string[], most: number) {
    if (foreignIds.length === 0) return []
    const sql = this.#statements(end).recordsLinkedTo(foreignIds.length === 1 ? 'one' : 'many')
    const rows = await this.#session.connection.rows(sql, [foreignIds, most])
    return rows.map(([recordId]) => recordId as string)
  }

  async total(end: LinkEnd): Promise<number> {
    const [row] = await this.#session.connection.rows(this.#statements(end).total, [])
    return Number(row?.[0] ?? 0)
  }

  async create(end: LinkEnd): Promise<void> {
    for (const statement of this.#statements(end).create) {
      await this.#session.define(statement)
    }
  }

  async drop(end: LinkEnd): Promise<void> {
    await this.#session.define(this.#statements(end).drop)
  }

  async replace(
    end: LinkEnd,
    links: ReadonlyMap<string, readonly string[]>,
    { last, places = [], lost }: LinkReplacement = {},
  ) {
    const statements = this.#statements(end)
    const before = await this.#session.connection.rows(statements.of(lost ? 'all' : 'living'), [
      [...links.keys()],
    ])
    const { removed, moved, added } = changes(before, links)
    const { keyColumns } = statements
    await inChunks(this.#session.dialect, removed, keyColumns.length, async (chunk) => {
      const values = this.#session.dialect.rows.bind(keyColumns, chunk)
      await this.#session.connection.run(statements.remove(chunk.length), values)
    })
    const isOnly = isExclusive(end.relationship)
    const positions = isOnly
      ? new Map<string, number>()
      : (last ?? (await this.#lastPositions(statements, added)))
    const given = new Map(places.map((one) => [`${one.recordId} ${one.foreignId}`, one.place]))
    const rows = added.map(([recordId, foreignId, position]): PairRow => {
      const before = positions.get(foreignId) ?? 0
      const foreignPosition = given.get(`${recordId} ${foreignId}`) ?? before + 1
      positions.set(foreignId, Math.max(before, foreignPosition))
      const operationId = lost?.get(recordId)?.get(foreignId) ?? null
      return [recordId, foreignId, position, foreignPosition, operationId]
    })
    await this.#put(statements, [...moved, ...rows])
    return isOnly ? new Map<string, number>() : positions
  }

  async markDeleted(
    end: LinkEnd,
    recordIds: readonly string[],
    operationId: string,
  ): Promise<void> {
    const statements = this.#statements(end)
    await this.#tellPairs(statements, recordIds, ['living'])
    await this.#session.connection.run(statements.markDeleted, [operationId, recordIds])
  }

  async lostBy(end: LinkEnd, recordIds: readonly string[], operationId: string) {
    const sql = this.#statements(end).lostBy
    const rows = await this.#session.connection.rows(sql, [operationId, recordIds])
    return rows.map(([foreignId]) => foreignId as string)
  }

  async handOver(
    end: LinkEnd,
    recordIds: readonly string[],
    operationId: string,
    deleted: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { connection } = this.#session
    const statements = this.#statements(end)
    const byOperation = Map.groupBy(deleted, ([, other]) => other)
    if (byOperation.size > 0) await this.#tellPairs(statements, recordIds, ['lost'])
    for (const [other, pairs] of byOperation) {
      const foreignIds = pairs.map(([foreignId]) => foreignId)
      await connection.run(statements.handOver, [other, operationId, foreignIds, recordIds])
    }
  }

  async clashOf(
    end: LinkEnd,
    recordIds: readonly string[],
    operationId: string,
  ): Promise<LostLinks | undefined> {
    const { relationship } = end
    const statements = this.#statements(end)
    const single = [
      ...(hasMany(relationship) ? [] : (['self'] as const)),
      ...(isExclusive(relationship) ? (['foreign'] as const) : []),
    ]
    for (const where of single) {
      const values = [operationId, recordIds]
      const [row] = await this.#session.connection.rows(statements.clashAt(where), values)
      if (!row) continue
      const [recordId, first, last] = row as readonly string[]
      return { recordId, linkedIds: [first, last] } as LostLinks
    }
    return undefined
  }

  async restore(end: LinkEnd, recordIds: readonly string[], operationId: string): Promise<void> {
    const { connection } = this.#session
    const statements = this.#statements(end)
    await this.#tellPairs(statements, recordIds, ['lost'])
    const values = [operationId, recordIds]
    await refuseAsInvalid(refusals, () => connection.run(statements.restore, values))
  }

  async purge(end: LinkEnd, recordIds: readonly string[]): Promise<void> {
    const statements = this.#statements(end)
    await this.#tellPairs(statements, recordIds, pairKinds)
    for (const kind of pairKinds) {
      await this.#session.connection.run(statements.purge(kind), [recordIds])
    }
  }

  async #tellPairs(
    statements: LinkStatements,
    recordIds: readonly string[],
    kinds: readonly PairKind[],
  ): Promise<void> {
    const { connection } = this.#session
    if (!connection.willRewrite) return
    let pairs = 0
    for (const kind of kinds) {
      const [row] = await connection.rows(statements.countOf(kind), [recordIds])
      pairs += Number(row?.[0])
    }
    connection.willRewrite(pairs * pairBytes)
  }

  async countLost(end: LinkEnd): Promise<number> {
    const [row] = await this.#session.connection.rows(this.#statements(end).totalLost, [])
    return Number(row?.[0] ?? 0)
  }

  copy(from: LinkEnd, to: LinkEnd): Promise<void> {
    return this.#copy(from, to, 'all')
  }

  copyLost(from: LinkEnd, to: LinkEnd): Promise<void> {
    return this.#copy(from, to, 'lost')
  }

  async #copy(from: LinkEnd, to: LinkEnd, which: 'all' | 'lost'): Promise<void> {
    const { connection } = this.#session
    if (connection.willRewrite) connection.willRewrite((await this.total(from)) * pairBytes)
    const statement = this.#statements(to).copyFrom(this.#statements(from), which)
    await refuseAsInvalid(refusals, () => this.#session.runOnce(statement))
  }

  async #put(statements: LinkStatements, rows: readonly PairRow[]): Promise<void> {
    const { connection, dialect } = this.#session
    const { columns } = statements
    await inChunks(dialect, rows, columns.length, async (chunk) => {
      const values = dialect.rows.bind(columns, chunk)
      await refuseAsInvalid(refusals, () => connection.run(statements.put(chunk.length), values))
    })
  }

  /** The last place at each of the foreign records that has one. */
  async #lastPositions({ lastPositions }: LinkStatements, added: readonly PairRow[]) {
    if (added.length === 0) return new Map<string, number>()
    const foreignIds = new Set(added.map(([, foreignId]) => foreignId))
    const rows = await this.#session.connection.rows(lastPositions, [[...foreignIds]])
    return new Map(rows.map(([foreignId, last]) => [foreignId as string, Number(last)]))
  }

  #statements(end: LinkEnd): LinkStatements {
    return new LinkStatements(end, this.#session.dialect)
  }
}

/** What it takes to change a pair, its indexes included, as bytes of a record that take as long. */
const pairBytes = 100

const refusals = { unique: 'a record that takes one link at most has another' }

/** A pair with its places: at this end, and at the other; and the operation that took it away, if one did. */
type PairRow = readonly [
  recordId: string,
  foreignId: string,
  position: number,
  foreignPosition: number,
  operationId: string | null,
]

function toPair([recordId, foreignId]: readonly unknown[]): LinkedPair {
  return { recordId: recordId as string, foreignId: foreignId as string }
}

/** What makes the links out of the pairs that there are; places count from 1 at this end. */
function changes(
  before: readonly (readonly unknown[])[],
  links: ReadonlyMap<string, readonly string[]>,
) {
  const kept = new Map<string, Map<string, PairRow>>()
  for (const row of before as readonly PairRow[]) {
    const ofRecord = kept.get(row[0]) ?? new Map<string, PairRow>()
    kept.set(row[0], ofRecord.set(row[1], row))
  }
  const moved: PairRow[] = []
  const added: PairRow[] = []
  for (const [recordId, foreignIds] of links) {
    const ofRecord = kept.get(recordId)
    for (const [index, foreignId] of foreignIds.entries()) {
      const row = ofRecord?.get(foreignId)
      ofRecord?.delete(foreignId)
      if (!row) added.push([recordId, foreignId, index + 1, 0, null])
      else if (row[2] !== index + 1) moved.push([recordId, foreignId, index + 1, row[3], row[4]])
    }
  }
  const removed = [...kept.values()].flatMap((ofRecord) => [...ofRecord.values()])
  return { removed: removed.map(([recordId, foreignId]) => [recordId, foreignId]), moved, added }
}
