import type { Base } from '../../../bases/base.ts'
import { invalidAt } from '../../../errors.ts'
import { deriveColumnName, toFreeColumnName } from '../../../fields/column-name.ts'
import { limits } from '../../../limits.ts'
import type { ReadTx } from '../../../store.ts'
import { toFreeName } from '../../../values/names.ts'
import { isNameOfIndex } from '../../db-table-name.ts'
import type { Table } from '../../table.ts'

/**
 * The names of a new table in a base that is held for update: the one that is wanted, numbered when it
 * is taken, and the physical one, which is derived when none is wanted and refused when it is taken.
 * Tables in the trash keep their physical names, no two of which differ in case alone.
 */
export async function freeTableNames(
  tx: ReadTx,
  base: Base,
  wanted: { readonly name: string; readonly dbTableName?: string | undefined },
): Promise<Pick<Table, 'name' | 'dbTableName'>> {
  const others = await tx.tables.listOf(base.id)
  if (others.length >= limits.tablesPerBase) {
    throw invalidAt([], `a base has ${limits.tablesPerBase} tables at most`)
  }
  const names = new Set(others.map((table) => table.name))
  const name = toFreeName(wanted.name, (candidate) => names.has(candidate))
  const taken = await tx.tables.takenDbTableNames(base.id)
  const isTaken = (candidate: string) => taken.has(candidate.toLowerCase())
  const derived = await deriveColumnName(name)
  const own = isNameOfIndex(derived) ? `t_${derived}` : derived
  const { dbTableName = toFreeColumnName(own, isTaken) } = wanted
  if (isTaken(dbTableName)) {
    const message = `"${dbTableName}" is taken by a table of this base, or by one in its trash`
    throw invalidAt(['dbTableName'], message)
  }
  return { name, dbTableName }
}
