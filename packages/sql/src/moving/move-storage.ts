import { hashBase } from '@gateleg/domain/bases/canonical-form'
import { SqlCanonicalReader } from '../bases/sql-canonical-reader.ts'
import type { SqlSession } from '../core/session.ts'
import { keepFact } from '../instance-key.ts'
import { StorageRefusedError } from '../migrations/storage-errors.ts'
import { moveBaseTables } from './move-base-tables.ts'
import { moveOwnTables } from './move-own-tables.ts'
import type { MovingSide, MovingTools, PhysicalTable } from './moving-side.ts'
import { requireIdsApart } from './require-ids-apart.ts'

/** What was moved. */
export interface Moved {
  readonly bases: number
  /** Records, living and deleted. */
  readonly records: number
}

/** The instance key that a storage keeps, if it does. */
export async function findKeptKey(side: MovingSide): Promise<string | undefined> {
  const [row] = await side.step((session) =>
    session.allOnce(session.db.selectFrom('instance').select('value').where('name', '=', 'key')),
  )
  return row?.value
}

/** The tables of which one has a row as soon as anybody has used a workspace. */
const tellingOfUse = ['users', 'spaces', 'bases'] as const

/**
 * Copies all that one storage holds into another one of the same version, which is empty, and compares what has come with
 * what was there. The tables of bases come first, base by base, and each base is compared by its hash; then the product's
 * own tables, at once: until then the other storage holds nothing that anybody sees, and the move can be begun again.
 * Throws StorageRefusedError where the other one isn't empty, where ids are too much alike, and where the two differ.
 */
export async function moveStorage(
  from: MovingSide,
  to: MovingSide,
  tools: MovingTools,
): Promise<Moved> {
  await to.step(requireEmpty)
  await from.step(requireIdsApart)
  const tables = await from.step((source) => from.listTables(source))
  const byBase = Map.groupBy(
    tables.filter(({ baseId }) => baseId !== undefined),
    ({ baseId }) => baseId ?? '',
  )
  const living = await from.step((source) =>
    source.allOnce(source.db.selectFrom('bases').select('id').orderBy('id')),
  )
  let records = 0
  for (const baseId of new Set([...byBase.keys(), ...living.map(({ id }) => id)])) {
    records += await moveBase(from, to, { baseId, tables: byBase.get(baseId) ?? [] }, tools)
  }
  const own = tables.flatMap(({ baseId, name }) => (baseId === undefined ? name : []))
  await from.step((source) =>
    to.step(async (target) => {
      // Somebody may have begun to use it while the bases were moved.
      await requireEmpty(target)
      await moveOwnTables({ from, source, target }, to, own, tools)
      const named = target.db.updateTable('tables').set({ rebuilt_name: null })
      await target.runOnce(named.where('rebuilt_name', 'is not', null))
      await target.runOnce(target.db.deleteFrom('instance').where('name', '=', 'key'))
      if (tools.keptKey !== undefined) await keepFact(target.own, 'key', tools.keptKey)
    }),
  )
  return { bases: living.length, records }
}

async function requireEmpty(target: SqlSession): Promise<void> {
  for (const name of tellingOfUse) {
    const found = await target.allOnce(target.db.selectFrom(name).select('id').limit(1))
    if (found.length === 0) continue
    throw new StorageRefusedError(
      'The storage to move to holds a workspace already: nothing is moved over another workspace',
    )
  }
}

/** Copies the tables of a base. Answers how many records it has, those of deleted tables too. */
async function moveBase(
  from: MovingSide,
  to: MovingSide,
  base: { readonly baseId: string; readonly tables: readonly PhysicalTable[] },
  { digester }: MovingTools,
): Promise<number> {
  await moveBaseTables(from, to, base)
  return from.step((source) =>
    to.step(async (target) => {
      const structure = await new SqlCanonicalReader(source).structure(base.baseId)
      const hashOf = (session: SqlSession) => {
        // The product's own tables have not come yet.
        const canonical = new SqlCanonicalReader(session, source)
        return hashBase({ canonical, giveWay: async () => {} }, { digester }, structure)
      }
      const [before, after] = await Promise.all([source, target].map(hashOf))
      if (before?.hash === after?.hash) return after?.records ?? 0
      throw new StorageRefusedError(`The base ${base.baseId} is not the same after it was moved`)
    }),
  )
}
